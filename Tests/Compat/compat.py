#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the cases (small programs, each for one way in which recorders break) bare and recorded, and compares.

    compat.py --genmark PATH [--keep DIR] [--known-failures FILE] [NN ...]

For each case: bare it is right; recorded it has the same exit status, the same output and nothing on stderr but lines
that begin with "genmark:"; its LIVE and ABSENT lines are what was recorded; nothing was lost that LOSSES does not
explain. Lines about a child's own trace are checked in a second recording, with GENMARK_FOLLOW=1.
Exit status 0 when all hold, but for those that FILE names ("NN: reason" a line).
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from case import all_cases

# The losses that a case is made to cause; any other one is a failure.
LOSSES = {
    '22': {'stacksBroken'},                    # a frame that no table describes and that destroys the frame pointer
    '23': {'stacksCut'},                       # 20,000 frames
    '33': {'blocksMemory', 'stacksMerged', 'history'},   # next to no file may be written
    '76': {'marks'},                           # a handler that marks while the recorder is at work
}
RUN_SECONDS = 60
READ_SECONDS = 120


class Recording:
    """The traces that one run of a case left, the one of the lowest pid first."""

    def __init__(self, genmark, folder):
        def pid(path):
            numbers = re.findall(r'\.(\d+)\.', path)
            return int(numbers[-1]) if numbers else 0
        self.genmark, self.errors = genmark, []
        self.traces = sorted(glob.glob(os.path.join(folder, '*.genmark')), key=pid)
        self.reports = [r for r in (self.read('generations', t, '--by', 'call-site') for t in self.traces) if r]

    def read(self, verb, trace, *options):
        done = subprocess.run([self.genmark, verb, trace, *options, '--json'], capture_output=True, text=True,
                              timeout=READ_SECONDS, check=False)
        try:
            return json.loads(done.stdout)
        except json.JSONDecodeError:
            self.errors.append(f'{os.path.basename(trace)}: status {done.returncode} {done.stderr.strip()[-200:]}')
            return None

    def alive(self, line):
        """(blocks, bytes) of what a LIVE line means, in each of the traces."""
        if line.at_mark is None:
            return [alive(report['generations'], line.site, line.generation) for report in self.reports]
        diffs = [self.read('diff', trace, f'0..{line.at_mark}') for trace in self.traces]
        return [alive([diff], line.site) for diff in diffs if diff]

    def losses(self):
        return {loss['kind'] for report in self.reports for loss in report['trace']['losses'] if loss['count']}


def bare_name(function):
    """A function's name without parameters, template arguments and return type."""
    name = re.sub(r'\(.*$', '', (function or '').replace('(anonymous namespace)::', '')).strip()
    kept, depth = [], 0
    for c in name:
        depth += c == '<'
        if not depth:
            kept.append(c)
        depth -= c == '>'
    return ''.join(kept).split(' ')[-1]


def alive(generations, site, generation=None):
    """Blocks and bytes alive whose call stack has the function near its inner end. A generation is the label of the mark
    that began it; a case that says "first" or "last" has only one."""
    blocks = size = 0
    for g in generations:
        if generation not in (None, 'first', 'last') and g['openedBy'] != generation:
            continue
        for c in g['callSites']:
            if bare_name(site) in [bare_name(f['function']) for f in c['frames'][:12]]:
                blocks += c['blocks']
                size += c['bytes']
    return blocks, size


def run(case, folder, environment):
    """(exit status or "timeout", stdout, stderr without what genmark may say there)."""
    variables = {k: v for k, v in os.environ.items() if k != 'LD_PRELOAD' and not k.startswith('GENMARK_')}
    variables.update(environment, CASE_DIR=case.directory)
    # A case's own directory may be deleted, its descriptors closed: give it files, not pipes that could stay open.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            status = subprocess.run(case.command(), cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=out,
                                    stderr=err, timeout=RUN_SECONDS, check=False).returncode
        except subprocess.TimeoutExpired:
            status = 'timeout'
        out.seek(0)
        err.seek(0)
        text, errors = out.read().decode(errors='replace'), err.read().decode(errors='replace')
    if environment:
        errors = ''.join(line for line in errors.splitlines(True) if not line.startswith('genmark:'))
    return status, text, errors


def differences(case, result):
    status, text, errors = result
    found = []
    if status != 0:
        found.append(f'exit status {status}')
    if text.rstrip('\n') != case.output:
        found.append(f'prints {text[:200]!r}, must be {case.output!r}')
    if errors:
        found.append(f'on stderr {errors[:300]!r}')
    return found


def check_recording(case, recording, follow):
    found = [f'unreadable trace {e}' for e in recording.errors]
    lines = [line for line in case.live if line.of_child == follow]
    if case.number == '36':
        return found + (['a static program has a trace'] if recording.reports else [])
    if not recording.reports:
        return found + (['no trace'] if lines or case.absent else [])
    for line in lines:
        seen = recording.alive(line)
        if not any(map(line.is_met_by, seen)) and not (line.optional and not any(blocks for blocks, _ in seen)):
            found.append(f'recorded {seen[:3]}, must be {line}')
    if not follow:
        for site in case.absent:
            seen = alive(recording.reports[0]['generations'], site)
            if seen[0]:
                found.append(f'{site} is said to be alive: {seen}')
    unexplained = recording.losses() - LOSSES.get(case.number, set())
    if unexplained:
        found.append(f'lost {", ".join(sorted(unexplained))}')
    return found


def record(case, genmark, preload, out, follow):
    """Records the case once; what differs, and the first trace."""
    traces = os.path.join(out, 'traces', case.name + ('.follow' if follow else ''))
    shutil.rmtree(traces, ignore_errors=True)
    os.makedirs(traces, mode=0o777)
    environment = {'GENMARK_OUTPUT': os.path.join(traces, '%e.%p.genmark')}
    if follow:
        environment['GENMARK_FOLLOW'] = '1'
    environment['CASE_PRELOAD' if case.is_script else 'LD_PRELOAD'] = preload
    found = differences(case, run(case, out, environment))
    if not case.is_script:
        found += check_recording(case, Recording(genmark, traces), follow)
    return found


def check_damaged(case, genmark, out):
    """Case 50 damages a good trace in about 100 ways and gives each to the command."""
    good = sorted(glob.glob(os.path.join(out, 'traces', '39-generations', '*.genmark')))
    if not good:
        return ['no trace of 39-generations to damage']
    environment = {'GENMARK_TRACE': good[0], 'GENMARK_CLI': f'{genmark} growth'}
    return differences(case, run(case, out, environment))


def check(case, genmark, preload, out):
    """All that is wrong with the case, as texts."""
    if error := case.build(out):
        return [f'does not build: {error[:300]}']
    if bare := differences(case, run(case, out, {})):
        return [f'bare: {text}' for text in bare]
    if case.number == '50':
        return check_damaged(case, genmark, out)
    found = record(case, genmark, preload, out, follow=False)
    if any(line.of_child for line in case.live):
        found += [f'followed: {text}' for text in record(case, genmark, preload, out, follow=True)]
    return found


def load_known_failures(path):
    known = {}
    if path:
        with open(path, encoding='utf-8') as file:
            for line in file:
                number, colon, reason = line.strip().partition(': ')
                if colon and not number.startswith('#'):
                    known[number] = reason
    return known


def main():
    parser = argparse.ArgumentParser(description='Runs the compatibility cases bare and recorded.')
    parser.add_argument('--genmark', required=True)
    parser.add_argument('--keep', help='build and record in this folder, and keep it')
    parser.add_argument('--known-failures', metavar='FILE')
    parser.add_argument('numbers', nargs='*')
    a = parser.parse_args()
    genmark = os.path.abspath(a.genmark)
    preload = subprocess.run([genmark, 'preload'], capture_output=True, text=True, check=True).stdout.strip()
    known = load_known_failures(a.known_failures)
    out = os.path.abspath(a.keep) if a.keep else tempfile.mkdtemp()
    os.makedirs(out, exist_ok=True)
    os.chmod(out, 0o755)
    passed = failed = excused = 0
    for case in all_cases(a.numbers):
        wrong = check(case, genmark, preload, out)
        if not wrong:
            passed += 1
            print(f'ok    {case.file}', flush=True)
            if case.number in known:
                print(f'      {case.number} is listed as a known failure and passes: take it from the list')
            continue
        if case.number in known:
            excused += 1
            print(f'known {case.file} ({known[case.number]}): ' + '; '.join(wrong[:4]), flush=True)
        else:
            failed += 1
            print(f'FAIL  {case.file}: ' + '; '.join(wrong[:4]), flush=True)
    if not a.keep:
        shutil.rmtree(out, ignore_errors=True)
    print(f'passed {passed}, failed {failed}, known failures {excused}')
    return 0 if passed and not failed else 1


if __name__ == '__main__':
    sys.exit(main())
