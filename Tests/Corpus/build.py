#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the programs of the corpus into bin/, by the commands in truth.json.

    build.py [NAME | PREFIX* ...]

What is newer than its sources is left alone. CC, CXX and SWIFTC choose the compilers. Scoring is score.py's work.
"""
import concurrent.futures
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def load_truth():
    with open(os.path.join(HERE, 'truth.json'), encoding='utf-8') as file:
        return json.load(file)


def choose(programs, patterns):
    """The programs that one of the patterns (a name, or a prefix and a star) stands for; all without patterns."""
    def wanted(name):
        return any(name == p or (p.endswith('*') and name.startswith(p[:-1])) for p in patterns)
    return [p for p in programs if not patterns or wanted(p['name'])]


def words_in(command, folder):
    return [w for w in command.split() if w.startswith(folder + '/')]


def is_fresh(command):
    """Whether everything the command makes is newer than everything it reads, headers included."""
    made = [os.path.join(HERE, w) for w in words_in(command, 'bin')]
    read = [os.path.join(HERE, w) for w in words_in(command, 'src')] + [os.path.join(HERE, 'src/bench.h')]
    if not all(os.path.exists(m) for m in made):
        return False
    return min(map(os.path.getmtime, made)) > max(map(os.path.getmtime, read))


def run_build(command):
    environment = dict(os.environ)
    for name, default in (('CC', 'gcc'), ('CXX', 'g++'), ('SWIFTC', 'swiftc')):
        environment.setdefault(name, default)
    done = subprocess.run(['sh', '-c', command], cwd=HERE, env=environment, capture_output=True, text=True, check=False)
    return command, done.returncode, done.stderr


def build(programs):
    """Builds what is missing or old; the number of commands that failed."""
    os.makedirs(os.path.join(HERE, 'bin'), exist_ok=True)
    commands = dict.fromkeys(p['build'] for p in programs if p['build'] and not is_fresh(p['build']))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for command, status, errors in pool.map(run_build, commands):
            if status:
                failed += 1
                print(f'corpus: failed: {command}\n{errors}', file=sys.stderr)
    return failed


if __name__ == '__main__':
    sys.exit(1 if build(choose(load_truth()['programs'], sys.argv[1:])) else 0)
