#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the gate as its users have it: real recordings, the reports' own schemas, the README's recipes.
Usage: run.py --genmark GENMARK [NAME…]"""
import argparse
import subprocess
import sys
import traceback

import formats
import gate
import recipes
from project import Project

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument('--genmark', required=True)
parser.add_argument('names', nargs='*')
arguments = parser.parse_args()

passed = failed = 0
for test in gate.TESTS + formats.TESTS + recipes.TESTS:
    if arguments.names and not any(name in test.__name__ for name in arguments.names):
        continue
    try:
        with Project(arguments.genmark) as project:
            test(project)
        passed += 1
        print(f'ok   {test.__name__}', flush=True)
    except (AssertionError, OSError, ValueError, LookupError, StopIteration, subprocess.SubprocessError) as error:
        failed += 1
        line = traceback.extract_tb(error.__traceback__)[-1]
        shown = getattr(error, 'stderr', None) or error
        print(f'FAIL {test.__name__}: {type(error).__name__} {shown} ({line.filename}:{line.lineno}: {line.line})', flush=True)
print(f'passed {passed}, failed {failed}')
sys.exit(1 if failed else 0)
