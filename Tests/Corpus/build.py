#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the programs of the corpus into bin/.

    build.py [NAME | PREFIX* ...]

What is newer than its sources is left alone. CC, CXX, SWIFTC and RUSTC choose the compilers. Scoring is score.py's work.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys

from truth import HERE, choose, load_truth


def words_in(command, folder):
    return [w for w in command.split() if w.startswith(folder + '/')]


def is_fresh(command):
    """Whether everything the command makes is newer than everything it reads, headers included."""
    made = [os.path.join(HERE, w) for w in words_in(command, 'bin')]
    read = [os.path.join(HERE, w) for w in words_in(command, 'src')] + [os.path.join(HERE, 'src/bench.h')]
    if not all(os.path.exists(m) for m in made):
        return False
    return min(map(os.path.getmtime, made)) > max(map(os.path.getmtime, read))


def compilers():
    environment = dict(os.environ)
    for name, default in (('CC', 'gcc'), ('CXX', 'g++'), ('SWIFTC', 'swiftc'), ('RUSTC', 'rustc')):
        environment.setdefault(name, default)
    return environment


def can_build(program):
    """False for a Rust program where no rustc is: Debian's takes more room than all the rest together."""
    return program['family'] != 'rust' or shutil.which(compilers()['RUSTC']) is not None


def run_build(command):
    done = subprocess.run(['sh', '-c', command], cwd=HERE, env=compilers(), capture_output=True, text=True, check=False)
    return command, done.returncode, done.stderr


def build(programs):
    """Builds what is missing or old; the number of commands that failed."""
    os.makedirs(os.path.join(HERE, 'bin'), exist_ok=True)
    commands = dict.fromkeys(
        p['build'] for p in programs if p['build'] and can_build(p) and not is_fresh(p['build']))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for command, status, errors in pool.map(run_build, commands):
            if status:
                failed += 1
                print(f'corpus: failed: {command}\n{errors}', file=sys.stderr)
    return failed


if __name__ == '__main__':
    sys.exit(1 if build(choose(load_truth(), sys.argv[1:])) else 0)
