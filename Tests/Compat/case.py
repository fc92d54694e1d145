# SPDX-License-Identifier: MIT
"""What a case says about itself: how it is built, what it prints, what a recording of it must hold.

Read from the comment at the head of each file in cases/; running and comparing is compat.py's work.

    OUT: text          what it prints, bare and recorded
    CC: FLAGS: LIB:    compiler, flags, and libraries that are built from the same file
    LIVE … site=NAME blocks=N bytes=N
                       alive at the end, with that function in the call stack; `gen=NAME`: born after the mark NAME and
                       before the next; `at mark "NAME"`: alive then, not at the end. Said to be optional by "or" and
                       "if", to be about another process by "own trace".
    ABSENT … site=NAME nothing of it is alive at the end
"""
import glob
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, 'cases')

DIRECTIVE = re.compile(r'^[ #*/]*(CC|FLAGS|OUT|LIB): *(.*?) *(?:\*/ *)?$')
LIVE = re.compile(r'LIVE(?P<before>[^=]*?(?:gen=(?P<gen>\S+))?[^=]*?)\bsite=(?P<site>.+?)\s+'
                  r'blocks=(?P<blocks>\d+)(?:,?\s+bytes=(?P<bytes>\d+))?(?P<after>.*)')
ABSENT = re.compile(r'^[ #*/]*ABSENT[^=]*site=')
ABSENT_SITE = re.compile(r"site=([\w:]+)(?!['\w:])")


class Live:
    """A LIVE line."""

    def __init__(self, match):
        self.site, self.generation = match['site'], match['gen']
        self.blocks, self.bytes = int(match['blocks']), int(match['bytes']) if match['bytes'] else None
        at = re.search(r'at mark "(.+?)"', match['before'])
        self.at_mark = at[1] if at else None
        notes = match['before'] + match['after']
        self.optional = bool(re.search(r'\b(or|if)\b', notes))
        self.of_child = bool(re.search(r"\b(victim's|own) trace", notes)) and "first process'" not in notes

    def __str__(self):
        place = '' if self.generation in (None, 'last') else f' of generation {self.generation}'
        return f'{self.site}{place}: {self.blocks} blocks, {self.bytes} bytes'

    def is_met_by(self, seen):
        return seen[0] == self.blocks and self.bytes in (None, seen[1])


class Case:
    """One file in cases/."""

    def __init__(self, path):
        self.path, self.file = path, os.path.basename(path)
        self.name = self.file.rsplit('.', 1)[0]
        self.number = self.file[:2]
        self.is_script = path.endswith('.sh')
        self.compiler = self.flags = self.output = ''
        self.libraries, self.live, self.absent = [], [], []
        with open(path, encoding='utf-8', errors='replace') as file:
            for line in file:
                self.read(line.rstrip('\n'))
        self.directory = CASES

    def read(self, line):
        if match := DIRECTIVE.match(line):
            word, value = match.groups()
            if word == 'LIB':
                self.libraries.append(value.split())
            elif word == 'CC':
                self.compiler = self.compiler or value
            elif word == 'FLAGS':
                self.flags = self.flags or value
            else:
                self.output = self.output or value
        if match := LIVE.search(line):
            self.live.append(Live(match))
        if ABSENT.match(line):
            self.absent += ABSENT_SITE.findall(line)

    def build(self, out):
        """Builds into the folder `out`; what went wrong, or None."""
        if self.is_script:
            return None
        for name, *flags in self.libraries:
            error = compile_with('gcc', ['-shared', '-fPIC', '-g', '-O1', '-fno-builtin', '-I' + CASES, *flags,
                                         '-o', os.path.join(out, name + '.so'), self.path])
            if error:
                return error
        flags = self.flags.split()
        if self.compiler != 'swiftc':
            flags = ['-I' + CASES, '-g', *flags]
        linked = [] if self.compiler == 'swiftc' else ['-pthread']
        return compile_with(self.compiler, [*flags, '-o', os.path.join(out, self.name), self.path, *linked])

    def command(self):
        return ['bash', self.path] if self.is_script else ['./' + self.name]


def compile_with(compiler, arguments):
    path = shutil.which(compiler)
    if path is None:
        return f'no {compiler} here'
    done = subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
    return done.stderr.strip() or f'{compiler} failed' if done.returncode else None


def all_cases(numbers=()):
    paths = sorted(glob.glob(os.path.join(CASES, '[0-9][0-9]-*')))
    return [c for c in map(Case, paths) if not numbers or c.number in numbers]
