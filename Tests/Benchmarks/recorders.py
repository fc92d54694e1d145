# SPDX-License-Identifier: MIT
"""The recorders that are compared: how each is put around a command, and which file it leaves.

A recorder changes a command's words and environment. What is run with it is workloads.py's, how it is measured run's.
"""
import glob
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


class Recorder:
    """Nothing around the command: bare."""

    name = 'bare'
    limit_bytes = limit_seconds = None         # past which a run is ended, and counts as failed

    def is_there(self):
        return True

    def version(self):
        return ''

    def wrap(self, words, environment, folder):
        """(words, environment) to run; `folder` is empty and for this run's files."""
        return words, environment

    def file_bytes(self, folder):
        """What it wrote; None when it writes nothing."""
        return None


class Preload(Recorder):
    """A library in LD_PRELOAD."""

    library = None

    def is_there(self):
        return self.library is not None and os.path.exists(self.library)

    def wrap(self, words, environment, folder):
        return words, dict(environment, LD_PRELOAD=self.library)


class PassThrough(Preload):
    """Hands every call on and records nothing."""

    name = 'pass-through'

    def __init__(self, build):
        self.library = os.path.join(build, 'passthrough.so')
        subprocess.run(['gcc', '-O2', '-shared', '-fPIC', '-fno-builtin', '-o', self.library,
                        os.path.join(HERE, 'passthrough.c')], check=True)


class Genmark(Preload):
    """The recorder of this project."""

    name = 'genmark'

    def __init__(self, command):
        self.command = command
        self.library = subprocess.run([command, 'preload'], capture_output=True, text=True, check=True).stdout.strip()

    def version(self):
        return subprocess.run([self.command, 'version'], capture_output=True, text=True, check=True).stdout.strip()

    def wrap(self, words, environment, folder):
        output = os.path.join(folder, '%e.%p.genmark')
        return words, dict(environment, LD_PRELOAD=self.library, GENMARK_OUTPUT=output)

    def traces(self, folder):
        return glob.glob(os.path.join(folder, '*.genmark'))

    def file_bytes(self, folder):
        return sum(map(os.path.getsize, self.traces(folder))) or None


class Heaptrack(Recorder):
    """Debian's heaptrack, as its users call it: its interpreter and compressor run beside the program."""

    name = 'heaptrack'
    # With compilers its interpreter takes nearly 20 GB, and longer than anybody waits.
    limit_bytes, limit_seconds = 4 << 30, 120

    def is_there(self):
        return shutil.which('heaptrack') is not None

    def version(self):
        text = subprocess.run(['heaptrack', '--version'], capture_output=True, text=True, check=False).stdout
        return text.strip().splitlines()[-1] if text.strip() else ''

    def wrap(self, words, environment, folder):
        return ['heaptrack', '-o', os.path.join(folder, 'heaptrack'), *words], environment

    def file_bytes(self, folder):
        files = glob.glob(os.path.join(folder, 'heaptrack*'))
        return sum(map(os.path.getsize, files)) or None


class LeakSanitizer(Preload):
    """gcc's LeakSanitizer, preloaded. It looks for leaks at exit only."""

    name = 'LSan'

    def __init__(self):
        found = glob.glob('/usr/lib/*/liblsan.so.0')
        self.library = found[0] if found else None

    def wrap(self, words, environment, folder):
        log = os.path.join(folder, 'lsan')
        return words, dict(environment, LD_PRELOAD=self.library, LSAN_OPTIONS=f'exitcode=0:log_path={log}')


def all_recorders(genmark, build):
    return [Recorder(), PassThrough(build), Genmark(genmark), Heaptrack(), LeakSanitizer()]
