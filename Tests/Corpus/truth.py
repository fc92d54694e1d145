# SPDX-License-Identifier: MIT
"""What is known of the programs: truth.json (as it was given) and truth-own.json, with all fields filled in.

Building is build.py's work, judging score.py's.
"""
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILERS = {
    'c': '$CC -std=gnu11 -g -O1 -o bin/{out} src/{source}.c {flags}',
    'cpp': '$CXX -std=c++20 -g -O1 -o bin/{out} src/{source}.cc {flags}',
    'rust': '$RUSTC --edition 2021 -g -O -o bin/{out} src/{source}.rs',
    'swift': '$SWIFTC -swift-version 5 -parse-as-library -module-name {module} -g {level} {flags} -o bin/{out} '
             'src/Bench.swift src/{source}.swift',
}


def load(name):
    with open(os.path.join(HERE, name), encoding='utf-8') as file:
        return json.load(file)


def load_truth():
    """All programs, each with every field that truth.json explains."""
    own = load('truth-own.json')
    programs = load('truth.json')['programs']
    for program in programs:
        program.update({'findings': None, 'wrappers': []} | program)
        for function, cycles in own['known_from'].get(program['name'], {}).items():
            for entry in program['growing'] + program['not_growing']:
                if entry.get('function') == function:
                    entry['known_from'] = cycles
    return programs + [complete(p, programs) for p in own['programs']]


def complete(program, others):
    """A program of truth-own.json with what its name says."""
    name, plain = program['name'], program['name'].split('.')[0]
    family = plain.split('_')[0]
    source = program.pop('source', plain.removesuffix('_ok') if family == 'swift' else plain)
    arguments = program.pop('args', '')
    flags = program.pop('flags', '')
    out = name if family == 'swift' else source
    if family == 'script' and 'perl' in name:
        build, run = next(p['build'] for p in others if p['name'] == 'script_perl_cycle'), f'perl src/{source}.pl N'
    elif family == 'script':
        build, run = '', f'PYTHONMALLOC=malloc python3 src/{source}.py N'
    else:
        level = '-O' if name.endswith('.release') else '-Onone'
        fixed = '-D FIXED' if family == 'swift' and plain.endswith('_ok') else ''
        build = COMPILERS[family].format(out=out, source=source, module=plain, level=level, flags=flags or fixed)
        run = f'bin/{out} N'
    filled = {'family': family, 'cycles': 40, 'label': 'cycle', 'marks': 'inside', 'process': 'only', 'build': build.strip(),
              'run_cycles': f'{run} {arguments}'.strip(), 'growing': [], 'not_growing': [], 'either': [], 'wrappers': [],
              'findings': None}
    return filled | program


def choose(programs, patterns):
    """The programs that one of the patterns (a name, or a prefix and a star) stands for; all without patterns."""
    def wanted(name):
        return any(name == p or (p.endswith('*') and name.startswith(p[:-1])) for p in patterns)
    return [p for p in programs if not patterns or wanted(p['name'])]


def is_known(cycles, *things):
    """Whether the truth of an entry or program shows in a run of so many cycles."""
    return all(cycles >= thing.get('known_from', 0) for thing in things)
