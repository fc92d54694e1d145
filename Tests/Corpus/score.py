#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scores `genmark growth --json` against truth.json and truth-own.json.

    score.py --genmark PATH [--cycles N] [--thinned] [--keep DIR] [--known-failures FILE] [NAME | PREFIX* ...]

Builds what is missing, records every program with `genmark run`, and compares. A line a program: ok, or what differs.
The last line but one says: programs right, sites found, rates exact, false alarms; the last one counts as all suites do.
Exit status 0 only when all is right; programs marked `hard` and those named in FILE are counted apart.
With --thinned, the trace has room for a fraction of the marks (GENMARK_MAX_MEMORY=1MiB), and it is an error if all are kept.

What counts (both files say more of their fields):
  found        every function of `growing` heads a call site with verdict leak or stepwise
  exact        verdict, blocks and bytes per cycle, summed over that function's growing call sites, are the truth's
  false alarm  a call site with verdict leak or stepwise whose function is neither in `growing` nor in `either`
  open         the run is too short to know (`known_from`): inconclusive with the cycles that would do is right
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

from build import build, can_build
from judge import GROWS, Score, judge, sites_of_growth
from truth import HERE, choose, load_truth

TIMEOUT = 600
# Room for about 130 marks of a small program; programs that leave more behind get the next.
LITTLE_MEMORY = ('1MiB', '2MiB', '3MiB', '4MiB', '6MiB', '8MiB')


def record(genmark, program, cycles, trace, memory=None):
    """Runs the program under the recorder; (exit status, stdout, stderr)."""
    words = shlex.split(program['run_cycles'].replace(' N', f' {cycles}', 1))
    environment = dict(os.environ)
    if memory:
        environment['GENMARK_MAX_MEMORY'] = memory
    while '=' in words[0]:
        key, value = words.pop(0).split('=', 1)
        environment[key] = value
    follow = ['--follow'] if program['process'] == 'child' else []
    command = [genmark, 'run', '-o', trace, *follow, '--', *words]
    if program['marks'] != 'outside':
        done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True,
                              timeout=TIMEOUT, check=False)
        return done.returncode, done.stdout, done.stderr
    return record_from_outside(genmark, program, cycles, trace, command, environment)


def record_from_outside(genmark, program, cycles, trace, command, environment):
    """The same for a program that never marks: a line starts a cycle, its answer "idle N" is when to mark."""
    process = subprocess.Popen([*command, 'step'], cwd=HERE, env=environment, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
    said = [process.stdout.readline()]
    for _ in range(cycles):
        process.stdin.write('\n')
        process.stdin.flush()
        said.append(process.stdout.readline())
        marked = subprocess.run([genmark, 'mark', trace, program['label']], capture_output=True, text=True, check=False)
        if marked.returncode:
            process.kill()
            return marked.returncode, ''.join(said), 'mark: ' + marked.stderr
    process.stdin.write('\n')
    process.stdin.close()
    said.append(process.stdout.read())
    return process.wait(), ''.join(said), process.stderr.read()


def trace_to_judge(program, trace):
    """The program's trace, or its child's (which lies beside it) where the truth is about the child."""
    if program['process'] != 'child':
        return trace
    folder, own = os.path.split(trace)
    others = [f for f in os.listdir(folder) if f.startswith(own.removesuffix('genmark')) and f != own]
    return os.path.join(folder, max(others)) if others else trace


def score_program(genmark, program, cycles, folder, sources, thinned):
    try:
        for memory in LITTLE_MEMORY if thinned else (None,):
            trace = os.path.join(folder, program['name'] + (f'-{memory}' if memory else '') + '.genmark')
            status, out, err = record(genmark, program, cycles, trace, memory)
            if status or not out.strip().endswith(f'done {cycles}'):
                return Score(program, [f'run: status {status}, output {out[-60:]!r} {err[-200:]!r}'])
            command = [genmark, 'growth', trace_to_judge(program, trace), '--label', program['label'], '--json']
            growth = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
            if not growth.stdout.strip():
                return Score(program, [f'growth: status {growth.returncode} {growth.stderr[-200:]!r}'])
            report = json.loads(growth.stdout)
            if not report['inconclusive']:
                break
        score = judge(program, sites_of_growth(program, report, sources), cycles,
                      findings=sum(f['verdict'] in GROWS for f in report['findings']), thinned=thinned)
        if thinned:
            score.errors += report['inconclusive']
            marks = subprocess.run([genmark, 'marks', trace, '--json'], capture_output=True, text=True, check=False)
            kept = len(json.loads(marks.stdout)['marks'])
            # With less memory than this, one that needed more than the least has lost what counts depend on.
            if kept >= cycles and memory == LITTLE_MEMORY[0]:
                score.errors.append(f'all {kept} marks were kept')
        return score
    except (subprocess.TimeoutExpired, json.JSONDecodeError, KeyError, TypeError, OSError) as error:
        return Score(program, [f'{type(error).__name__}: {error}'])


def load_known_failures(path):
    """name → reason, from lines "name: reason"; "name@7" is about runs of 7 cycles."""
    known = {}
    if path:
        with open(path, encoding='utf-8') as file:
            for line in file:
                name, colon, reason = line.strip().partition(': ')
                if colon and not name.startswith('#'):
                    known[name] = reason
    return known


def arguments():
    parser = argparse.ArgumentParser(description='Scores genmark growth against truth.json.')
    parser.add_argument('--genmark', default=shutil.which('genmark') or 'genmark')
    parser.add_argument('--cycles', type=int)
    parser.add_argument('--thinned', action='store_true', help='give the traces so little room that marks are thinned')
    parser.add_argument('--keep', help='keep the traces in this folder')
    parser.add_argument('--known-failures', metavar='FILE')
    parser.add_argument('names', nargs='*')
    return parser.parse_args()


def main():
    a = arguments()
    genmark = os.path.abspath(a.genmark) if os.path.sep in a.genmark else a.genmark
    known = load_known_failures(a.known_failures)
    chosen = [p for p in choose(load_truth(), a.names) if can_build(p)]
    sources = set(os.listdir(os.path.join(HERE, 'src')))
    for program in choose(load_truth(), a.names):
        if program not in chosen:
            print(f"left out: {program['name']}: no rustc here")
    build(chosen)
    folder = os.path.abspath(a.keep) if a.keep else tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    total = dict.fromkeys(('programs', 'right', 'sites', 'found', 'exact', 'alarms', 'open', 'hard_wrong', 'known'), 0)
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        scores = pool.map(lambda p: score_program(genmark, p, a.cycles or p['cycles'], folder, sources, a.thinned), chosen)
        for score in scores:
            name, wrong = score.program['name'], bool(score.errors)
            listed = next((n for n in (name, f'{name}@{a.cycles}') if n in known), None)
            excused = wrong and listed is not None
            word = 'ok   ' if not wrong else 'HARD ' if score.hard else 'known' if excused else 'FAIL '
            print(f'{word} {name}' + (': ' + '; '.join(score.errors[:4]) if wrong else ''), flush=True)
            if listed and not wrong:
                print(f'      {listed} is listed as a known failure and passes: take it from the list')
            if wrong and (score.hard or excused):
                total['hard_wrong' if score.hard else 'known'] += 1
                continue
            total['programs'] += 1
            total['right'] += not wrong
            for figure in ('sites', 'found', 'exact', 'alarms', 'open'):
                total[figure] += getattr(score, figure)
    if not a.keep:
        shutil.rmtree(folder, ignore_errors=True)
    print('programs right {right}/{programs}, sites found {found}/{sites}, rates exact {exact}/{sites}, '
          'false alarms {alarms}, open {open}, hard ones wrong {hard_wrong}, known failures {known}'.format(**total))
    failed = total['programs'] - total['right']
    print(f"passed {total['right']}, failed {failed}, known failures {total['known']}, hard ones wrong {total['hard_wrong']}")
    return 0 if not failed and total['right'] else 1


if __name__ == '__main__':
    sys.exit(main())
