#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what other tools call a leak against the truth, beside genmark: precision and recall, in one table.

    tools.py --genmark PATH [--cycles N] [--jobs 2] [--limit 600] [NAME | PREFIX* ...]

heaptrack's list of leaks, LeakSanitizer (preloaded, gcc's), valgrind memcheck without and with what is still reachable. All judge
the same runs, at the end of the program, as they do; none of them gives a rate. Each function of the program that a tool
names is one thing found or one false alarm; functions of libraries and interpreters, of which some list very many, are
counted apart and not held against them. What is not done after --limit seconds is left out and said. The table goes to
standard output, and without names and --cycles into ACCURACY.md. Called by make bench WORKLOADS=accuracy.
"""
import argparse
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

import accuracy_md
from build import build, can_build
from judge import judge, site, sites_of_growth
from names import plain
from score import record, trace_to_judge
from truth import HERE, choose, load_truth

ONE_RUN = 120


def command_of(program, cycles):
    """Words and environment of a run without any tool."""
    words = shlex.split(program['run_cycles'].replace(' N', f' {cycles}', 1))
    environment = dict(os.environ)
    while '=' in words[0]:
        key, value = words.pop(0).split('=', 1)
        environment[key] = value
    words[0] = shutil.which(words[0]) or words[0]
    if words[0].endswith('/shims/python3'):             # a script that starts another python3
        words[0] = '/usr/bin/python3'
    return words + (['step'] if program['marks'] == 'outside' else []), environment


def run(words, environment, program, cycles):
    """Standard error; outside programs are given a line for each cycle."""
    lines = '\n' * (cycles + 1) if program['marks'] == 'outside' else None
    done = subprocess.run(words, cwd=HERE, env=environment, input=lines, capture_output=True, text=True, errors='replace',
                          timeout=ONE_RUN, check=False)
    return done.stderr


class Genmark:
    name = 'genmark growth'

    def __init__(self, path):
        self.path = path

    def stacks(self, program, cycles, folder, sources):
        import json
        trace = os.path.join(folder, program['name'] + '.genmark')
        record(self.path, program, cycles, trace)
        said = subprocess.run([self.path, 'growth', trace_to_judge(program, trace), '--label', program['label'], '--json'],
                              capture_output=True, text=True, timeout=ONE_RUN, check=False).stdout
        return {self.name: sites_of_growth(program, json.loads(said), sources)}


class Heaptrack:
    """Everything that was not freed at the end, by stack."""
    name = 'heaptrack, leaks'

    def stacks(self, program, cycles, folder, sources):
        words, environment = command_of(program, cycles)
        trace = os.path.join(folder, program['name'] + '.heaptrack')
        run(['heaptrack', '-o', trace, *words], environment, program, cycles)
        found = [f for f in os.listdir(folder) if f.startswith(os.path.basename(trace))]
        said = subprocess.run(['heaptrack_print', '-f', os.path.join(folder, found[0]), '-l', '1', '-p', '0', '-a', '0', '-T', '0',
                               '-m', '0', '-n', '100000'], capture_output=True, text=True, errors='replace', timeout=ONE_RUN,
                              check=False).stdout
        frames, stacks = [], []
        for line in said.split('MEMORY LEAKS', 1)[-1].splitlines():
            text = line.strip()
            if text.startswith('total runtime'):
                break
            if ' leaked over ' in text:
                stacks.append(frames)
                frames = []
            elif text.startswith('at ') and frames:
                frames[-1]['file'] = text[3:].rsplit(':', 1)[0]
            elif text.startswith('in ') and frames:
                frames[-1]['module'] = text[3:]
            elif text:
                frames.append({'function': text, 'file': None, 'module': None})
        return {self.name: [s for s in stacks + [frames] if s]}


class LeakSanitizer:
    """What nothing points to at the end."""
    name = 'LeakSanitizer'
    FRAME = re.compile(r'\s+#\d+ 0x[0-9a-f]+ (?:in (.*?) )?\(?([^ ()]+?)(?::\d+)*(?:\+0x[0-9a-f]+)?\)?(?: \(BuildId.*)?$')

    def __init__(self):
        done = subprocess.run(['gcc', '-print-file-name=liblsan.so'], capture_output=True, text=True, check=False)
        self.library = done.stdout.strip()

    def stacks(self, program, cycles, folder, sources):
        words, environment = command_of(program, cycles)
        environment |= {'LD_PRELOAD': self.library, 'LSAN_OPTIONS': 'exitcode=0:max_leaks=0:fast_unwind_on_malloc=0'}
        stacks = []
        for line in run(words, environment, program, cycles).splitlines():
            if ' leak of ' in line:
                stacks.append([])
            elif stacks and (frame := self.FRAME.match(line)):
                stacks[-1].append({'function': frame[1], 'file': frame[2], 'module': frame[2]})
        return {self.name: [s[1:] for s in stacks if s[1:]]}


class Valgrind:
    """memcheck: what nothing points to, and that with what something still points to."""
    name = 'valgrind memcheck'
    both = (name, name + ', reachable too')

    def stacks(self, program, cycles, folder, sources):
        words, environment = command_of(program, cycles)
        out = os.path.join(folder, program['name'] + '.%p.valgrind')
        run(['valgrind', '-q', '--leak-check=full', '--show-leak-kinds=all', '--num-callers=100', '--trace-children=yes',
             '--xml=yes', f'--xml-file={out}', *words], environment, program, cycles)
        lost, all_kinds = [], []
        for name in sorted(os.listdir(folder)):
            if not (name.startswith(program['name'] + '.') and name.endswith('.valgrind')):
                continue
            try:
                root = ElementTree.parse(os.path.join(folder, name)).getroot()
            except ElementTree.ParseError:               # of a program that ended without its end
                continue
            for error in root.iter('error'):
                kind = error.findtext('kind') or ''
                if not kind.startswith('Leak_'):
                    continue
                frames = [{'function': f.findtext('fn'), 'file': f.findtext('file'), 'module': f.findtext('obj')}
                          for f in error.find('stack').iter('frame')]
                all_kinds.append(frames)
                if kind != 'Leak_StillReachable':
                    lost.append(frames)
        return dict(zip(self.both, (lost, all_kinds)))


class Total:
    def __init__(self):
        self.programs = self.found = self.sites = self.alarms = self.elsewhere = self.seconds = 0

    def add(self, score, alarms, seconds):
        self.programs += 1
        self.found += score.found
        self.sites += score.sites
        self.alarms += alarms[0]
        self.elsewhere += alarms[1]
        self.seconds += seconds


def alarms_of(sites, program, cycles):
    """False alarms as functions, many stacks of one being one: of the program itself, and elsewhere."""
    own, elsewhere = set(), set()
    for s in sites:
        if judge(program, [s], cycles, rates=False).alarms:
            if s.function:
                own.add(s.function)
            else:
                elsewhere.add(next((plain(f['function'], False) for f in s.frames if f.get('function')), '?'))
    return len(own), len(elsewhere)


def demangle(stacks):
    """Swift's names as truth.json has them: the other tools do not know how."""
    mangled = sorted({f['function'] for s in stacks for f in s if (f['function'] or '').startswith(('$s', '_$s'))})
    tool = shutil.which('swift-demangle') or shutil.which('swift')
    if not mangled or not tool:
        return
    command = [tool] + ([] if tool.endswith('-demangle') else ['demangle']) + ['--simplified', '--compact']
    done = subprocess.run(command, input='\n'.join(mangled) + '\n', capture_output=True, text=True, check=False)
    names = dict(zip(mangled, done.stdout.splitlines()))
    for frame in (f for s in stacks for f in s):
        frame['function'] = names.get(frame['function'], frame['function'])


def measure(tool, program, cycles, folder, sources):
    """(name, score, alarms, seconds) for each list that the tool makes."""
    begun = time.monotonic()
    results = tool.stacks(program, cycles, folder, sources)
    seconds = time.monotonic() - begun
    for name, stacks in results.items():
        sites = stacks
        if not isinstance(tool, Genmark):
            # Standard output's buffer, which libc keeps: no tool is held responsible for it.
            stacks = [s for s in stacks if not any('_IO_file_doallocate' in (f['function'] or '') for f in s)]
            demangle(stacks)
            sites = [site(program, sources, frames, 'leak') for frames in stacks]
        score = judge(program, sites, cycles, rates=False)
        yield name, score, alarms_of(sites, program, cycles), seconds


def table(totals):
    lines = ['| tool | recall | precision | found | false alarms | in libraries | programs | seconds | a rate |',
             '|---|---|---|---|---|---|---|---|---|']
    for name, t in totals.items():
        said = t.found + t.alarms
        lines.append(f'| {name} | {t.found / max(1, t.sites):.2f} | {t.found / max(1, said):.2f} | {t.found} of {t.sites} '
                     f'| {t.alarms} | {t.elsewhere} | {t.programs} | {t.seconds:.0f} | {"yes" if name == Genmark.name else "no"} |')
    return lines


def main():
    parser = argparse.ArgumentParser(description='Holds what tools call a leak against the truth.')
    parser.add_argument('--genmark', required=True)
    parser.add_argument('--cycles', type=int)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--limit', type=int, default=600)
    parser.add_argument('names', nargs='*')
    a = parser.parse_args()
    begun = time.monotonic()
    chosen = [p for p in choose(load_truth(), a.names) if can_build(p)]
    build(chosen)
    sources = set(os.listdir(os.path.join(HERE, 'src')))
    tools = [Genmark(os.path.abspath(a.genmark))]
    tools += [Heaptrack()] if shutil.which('heaptrack') else []
    tools += [LeakSanitizer()] if os.path.isabs(LeakSanitizer().library) else []
    tools += [Valgrind()] if shutil.which('valgrind') else []
    totals, left_out = {}, []

    def one(work):
        tool, program = work
        if time.monotonic() - begun > a.limit:
            return tool, program, None
        folder = tempfile.mkdtemp()
        try:
            return tool, program, list(measure(tool, program, a.cycles or program['cycles'], folder, sources))
        except (subprocess.TimeoutExpired, OSError, ValueError, IndexError, KeyError) as error:
            return tool, program, f'{type(error).__name__}: {error}'
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    with concurrent.futures.ThreadPoolExecutor(max_workers=a.jobs) as pool:
        for tool, program, results in pool.map(one, [(t, p) for p in chosen for t in tools]):
            if not isinstance(results, list):
                left_out.append(f'{tool.name} on {program["name"]}: {results or "no time was left"}')
                continue
            for name, score, alarms, seconds in results:
                totals.setdefault(name, Total()).add(score, alarms, seconds)
    lines = table(totals)
    print('\n'.join(lines))
    for line in left_out:
        print('left out: ' + line)
    if not a.names and not a.cycles:
        accuracy_md.write('tools', lines + [''] + [f'Left out: {line}' for line in left_out][:5])
    return 0 if totals else 1


if __name__ == '__main__':
    sys.exit(main())
