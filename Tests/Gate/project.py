# SPDX-License-Identifier: MIT
"""What the tests of the gate share: a folder, programs built in it, recordings of them, and `genmark` run as a user does."""
import json
import os
import shlex
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))


class Done:
    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def json(self):
        return json.loads(self.out)


class Project:
    def __init__(self, genmark):
        self.genmark = os.path.abspath(genmark)
        self.folder = tempfile.mkdtemp(prefix='genmark-gate-')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), 'w', encoding='utf-8') as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding='utf-8') as file:
            return file.read()

    def remove(self, *names):
        for name in names:
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))

    def run(self, *words, environment=None):
        """`genmark` in the project's folder."""
        done = subprocess.run([self.genmark, *words], cwd=self.folder, env={**os.environ, **(environment or {})},
                              capture_output=True, text=True, timeout=300, check=False)
        assert 'Fatal error' not in done.stderr and done.returncode >= 0, done.stderr
        return Done(done)

    def build(self, name, source=os.path.join(HERE, 'rounds.c'), flags='-O1 -g', compiler='gcc'):
        command = [compiler, *shlex.split(flags), '-I', os.path.join(TOP, 'CShims/API/include'), source, '-o', self.path(name)]
        subprocess.run(command, check=True, capture_output=True)
        return self.path(name)

    def record(self, program, words, trace='t.genmark'):
        done = self.run('run', '--force', '-o', trace, '--', './' + program, *words.split())
        assert done.status == 0, done.err
        return trace

    def check(self, *words):
        done = self.run('check', *words, '--json')
        assert done.status in (0, 1, 2), done.err
        return done.status, done.json
