#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scores `genmark growth --json` against truth.json.

    score.py --genmark PATH [--cycles N] [--keep DIR] [--known-failures FILE] [NAME | PREFIX* ...]

Builds what is missing, records every program with `genmark run`, and compares. A line a program: ok, or what differs.
The last line but one says: programs right, sites found, rates exact, false alarms; the last one counts as all suites do.
Exit status 0 only when all is right; programs marked `hard` and those named in FILE are counted apart.

What counts (truth.json, "doc", has the details):
  found        every function of `growing` heads a call site with verdict leak or stepwise
  exact        blocks and bytes per cycle, summed over that function's growing call sites, are the truth's
  false alarm  a call site with verdict leak or stepwise whose function is neither in `growing` nor in `either`
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

from build import HERE, build, choose, load_truth
from names import matches, own_function, plain

GROWS = ('leak', 'stepwise')
TIMEOUT = 600


class Score:
    """What one program's report was worth."""

    def __init__(self, program, errors=()):
        self.program, self.errors = program, list(errors)
        self.sites, self.found, self.exact, self.alarms = len(program['growing']), 0, 0, 0

    @property
    def hard(self):
        return self.program.get('hard') or any(e.get('hard') for e in self.program['growing'])


def record(genmark, program, cycles, trace):
    """Runs the program under the recorder; (exit status, stdout, stderr)."""
    words = shlex.split(program['run_cycles'].replace(' N', f' {cycles}', 1))
    environment = dict(os.environ)
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
    others = [f for f in os.listdir(folder) if f.startswith(program['name'] + '.') and f != own]
    return os.path.join(folder, max(others)) if others else trace


def growing_call_sites(program, report, sources):
    """(function, frames, blocks per cycle, bytes per cycle) of each call site that is said to grow."""
    known = {e.get('function') for kind in ('growing', 'not_growing', 'either') for e in program[kind]}
    sites = []
    for finding in report['findings']:
        for c in finding['callSites']:
            if c.get('verdict', finding['verdict']) in GROWS:
                function = own_function(c['frames'], sources, program.get('wrappers', ()), known)
                sites.append((function, c['frames'], c['blocksPerCycle'], c['bytesPerCycle']))
    return sites


def rate_is_exact(program, entries, hits, optimised):
    """Whether the hits' blocks and bytes per cycle are what the entries (of one function) say, in words if not."""
    extra = sum(e.get('blocks_per_cycle') or 0 for e in program['either']
                if any(matches(e, h[0], h[1], optimised) for h in hits))
    blocks, size = sum(h[2] for h in hits), sum(h[3] for h in hits)
    wanted = sum(e['blocks_per_cycle'] for e in entries)
    sizes = [e.get('bytes_per_cycle') for e in entries]
    approximate = max((e.get('approx') or 0) for e in entries)
    right = (abs(blocks - wanted) <= approximate * wanted + 0.02 + extra) or program['either'] or optimised
    if all(s is not None for s in sizes) and not any(e.get('amortised') for e in entries):
        tolerance = approximate * sum(sizes) + 0.02 * max(1, sum(sizes))
        right = right and (abs(size - sum(sizes)) <= tolerance or program['either'])
    return right, f'{blocks:.3g} blocks {size:.4g} B a cycle, truth {wanted:.3g} and {sizes}'


def judge(program, report, sources):
    score = Score(program)
    optimised = program['name'].endswith('.release')      # the optimiser may give a block to the caller: judge the sum
    sites = growing_call_sites(program, report, sources)
    expected = {}
    for e in program['growing']:
        expected.setdefault((e.get('function'), e.get('frame'), e.get('top')), []).append(e)
    score.sites = len(expected)
    for key, entries in expected.items():
        hits = [s for s in sites if any(matches(e, s[0], s[1], optimised) for e in entries)]
        name = next((k for k in key if k), '?')
        if not hits:
            score.errors.append(f'missed {name}')
            continue
        score.found += 1
        exact, rates = rate_is_exact(program, entries, hits, optimised)
        score.exact += bool(exact)
        if not exact:
            score.errors.append(f'{name}: {rates}')
    if optimised and expected and not program['either']:
        blocks, wanted = sum(s[2] for s in sites), sum(e['blocks_per_cycle'] for e in program['growing'])
        if abs(blocks - wanted) > 0.02:
            score.exact = 0
            score.errors.append(f'in all {blocks:.3g} blocks a cycle, truth {wanted:.3g}')
    for function, frames, blocks, _ in sites:
        if not any(matches(e, function, frames, optimised) for e in program['growing'] + program['either']):
            score.alarms += 1
            name = function or (plain(frames[0].get('function'), False) if frames else '?')
            score.errors.append(f'false alarm {name} (+{blocks:.3g} blocks)')
    return score


def score_program(genmark, program, cycles, folder, sources):
    trace = os.path.join(folder, program['name'] + '.genmark')
    try:
        status, out, err = record(genmark, program, cycles, trace)
        if status or not out.strip().endswith(f'done {cycles}'):
            return Score(program, [f'run: status {status}, output {out[-60:]!r} {err[-200:]!r}'])
        command = [genmark, 'growth', trace_to_judge(program, trace), '--label', program['label'], '--json']
        growth = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        if not growth.stdout.strip():
            return Score(program, [f'growth: status {growth.returncode} {growth.stderr[-200:]!r}'])
        return judge(program, json.loads(growth.stdout), sources)
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
    parser.add_argument('--keep', help='keep the traces in this folder')
    parser.add_argument('--known-failures', metavar='FILE')
    parser.add_argument('names', nargs='*')
    return parser.parse_args()


def main():
    a = arguments()
    genmark = os.path.abspath(a.genmark) if os.path.sep in a.genmark else a.genmark
    known = load_known_failures(a.known_failures)
    chosen = choose(load_truth()['programs'], a.names)
    sources = set(os.listdir(os.path.join(HERE, 'src')))
    build(chosen)
    folder = os.path.abspath(a.keep) if a.keep else tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    total = dict.fromkeys(('programs', 'right', 'sites', 'found', 'exact', 'alarms', 'hard_wrong', 'known'), 0)
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        scores = pool.map(lambda p: score_program(genmark, p, a.cycles or p['cycles'], folder, sources), chosen)
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
            for figure in ('sites', 'found', 'exact', 'alarms'):
                total[figure] += getattr(score, figure)
    if not a.keep:
        shutil.rmtree(folder, ignore_errors=True)
    print('programs right {right}/{programs}, sites found {found}/{sites}, rates exact {exact}/{sites}, '
          'false alarms {alarms}, hard ones wrong {hard_wrong}, known failures {known}'.format(**total))
    failed = total['programs'] - total['right']
    print(f"passed {total['right']}, failed {failed}, known failures {total['known']}, hard ones wrong {total['hard_wrong']}")
    return 0 if not failed and total['right'] else 1


if __name__ == '__main__':
    sys.exit(main())
