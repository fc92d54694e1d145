#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how often verdicts are right, on the corpus and on drawn series, prints it and keeps it in ACCURACY.md.

    accuracy.py --genmark PATH [--series 600] [corpus | series]

Exit status 0 when every program is right at every number of cycles, and precision and recall of the series are 99 % or more.
SWIFT is the swift to test with.
"""
import argparse
import os
import re
import subprocess
import sys

import accuracy_md
from truth import HERE

# Cycles, and whether the trace has so little room that marks are thinned away.
RUNS = ((7, False), (15, False), (40, False), (200, False), (2000, True))
FIGURES = re.compile(r'programs right (\S+), sites found (\S+), rates exact (\S+), false alarms (\d+), open (\d+)')


def corpus(genmark):
    rows = ['| cycles | programs right | growing functions found | verdict and rates exact | false alarms | open |',
            '|---|---|---|---|---|---|']
    failed = False
    for cycles, thinned in RUNS:
        command = [sys.executable, os.path.join(HERE, 'score.py'), '--genmark', genmark, '--cycles', str(cycles),
                   '--known-failures', os.path.join(HERE, 'known-failures')] + (['--thinned'] if thinned else [])
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        failed = failed or done.returncode != 0
        for line in done.stdout.splitlines():
            if not line.startswith('ok '):
                print(line, flush=True)
        found = FIGURES.search(done.stdout)
        figures = ' | '.join(found.groups()) if found else 'failed: ' + done.stderr[-200:]
        rows.append(f'| {cycles}{", thinned" if thinned else ""} | {figures} |')
        print(rows[-1], flush=True)
    accuracy_md.write('corpus', rows)
    return not failed


def series(count):
    environment = dict(os.environ) | {'GENMARK_ACCURACY': str(count)}
    done = subprocess.run([os.environ.get('SWIFT', 'swift'), 'test', '--filter', 'AccuracyTests/report'], cwd=HERE,
                          env=environment, capture_output=True, text=True, check=False)
    lines = [line.split('accuracy: ', 1)[1] for line in done.stdout.splitlines() if line.startswith('accuracy: ')]
    print('\n'.join(lines))
    if not lines:
        print(done.stdout[-1000:] + done.stderr[-1000:])
        return False
    accuracy_md.write('series', lines)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description='Measures how often verdicts are right.')
    parser.add_argument('--genmark', required=True)
    parser.add_argument('--series', type=int, default=600, help='of each kind')
    parser.add_argument('parts', nargs='*', metavar='corpus|series')
    a = parser.parse_args()
    parts = a.parts or ['corpus', 'series']
    right = [corpus(os.path.abspath(a.genmark))] if 'corpus' in parts else []
    right += [series(a.series)] if 'series' in parts else []
    return 0 if all(right) else 1


if __name__ == '__main__':
    sys.exit(main())
