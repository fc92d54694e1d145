# SPDX-License-Identifier: MIT
"""How long names take: 10,000 addresses in a program with more than 200 MiB of debug information.

The program is made here: C++ in units that carry all of the standard library's types in their debug information, each
with allocating functions that have inlined ones and templates in them. It runs under genmark; then the times are those
of `genmark pack`, which looks up every address of a trace, and of addr2line for the same addresses. The other promises
are in promises.py, which calls this for "symbols".
"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

from measure import run_timed

UNITS, SITES = 28, 190
LIMIT_SECONDS, LIMIT_KIB, LEAST_BYTES, LEAST_ADDRESSES = 3, 1 << 20, 200 << 20, 10_000
FLAGS = ['-std=c++20', '-O1', '-g', '-fno-builtin', '-fno-eliminate-unused-debug-types']

HEADER = '''\
#pragma once
#include <bits/stdc++.h>
inline void keep(void *p) { __asm__ volatile("" : : "g"(p) : "memory"); }
'''
UNIT = '''
struct Record%(i)d {
  std::vector<std::pair<int, std::map<int, std::string>>> parts;
  std::unordered_map<std::string, std::shared_ptr<Record%(i)d>> others;
};
static inline void *take%(i)d(size_t n) { void *p = malloc(n + %(i)d); keep(p); return p; }
template <class T> inline void *hold%(i)d(T t) { return take%(i)d(sizeof(Record%(i)d) + t); }
__attribute__((noinline)) void site%(i)d(int n) { void *p = hold%(i)d(n); keep(p); }
'''


def build(folder):
    """The program's path; made when it is not there from the time before."""
    folder = os.path.join(folder, 'symbols')
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, 'program')
    if os.path.exists(program):
        return program
    print('symbols: compiling a large program (some minutes)', file=sys.stderr)
    write(folder, 'heavy.h', HEADER)
    units = [f'unit{n}' for n in range(UNITS)]
    for unit in units:
        sites = ''.join(UNIT % {'i': i} for i in range(SITES))
        calls = ''.join(f'site{i}(n);\n' for i in range(SITES))
        write(folder, unit + '.cc', f'#include "heavy.h"\nnamespace {unit} {{\n{sites}void all(int n) {{\n{calls}}}\n}}\n')
    declarations = ''.join(f'namespace {unit} {{ void all(int n); }}\n' for unit in units)
    write(folder, 'main.cc', declarations + 'int main(int n, char **) {\n' + ''.join(f'{u}::all(n);\n' for u in units) + '}\n')

    def compile_unit(name):
        subprocess.run(['g++', *FLAGS, '-c', name + '.cc'], cwd=folder, check=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_unit, units + ['main']))
    objects = [u + '.o' for u in units + ['main']]
    subprocess.run(['g++', '-g', *objects, '-Wl,--build-id', '-o', 'program.new'], cwd=folder, check=True)
    os.rename(program + '.new', program)
    for name in objects:
        os.remove(os.path.join(folder, name))
    return program


def write(folder, name, text):
    with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
        file.write(text)


def debug_bytes(program):
    """Of all debug sections in the file."""
    lines = subprocess.run(['readelf', '-SW', program], capture_output=True, text=True, check=True).stdout.splitlines()
    fields = (line.replace('[ ', '[').split() for line in lines)
    return sum(int(f[5], 16) for f in fields if len(f) > 5 and f[1].startswith('.debug_'))


def addresses(genmark, trace, program):
    """Of the frames in the program, as offsets in its file."""
    report = subprocess.run([genmark, 'generations', trace, '--by', 'call-site', '--no-symbols', '--json'],
                            capture_output=True, check=True).stdout
    return sorted({frame['offset'] for generation in json.loads(report)['generations']
                   for site in generation['callSites'] for frame in site['frames'] if frame['module'] == program})


def lines(genmark, folder, runs):
    """(what, measured, promised, met) of each comparison. Processor time counts: the machine may be busy."""
    program = build(folder)
    work = tempfile.mkdtemp(dir=folder)
    try:
        trace = os.path.join(work, 'program.genmark')
        subprocess.run([genmark, 'run', '-o', trace, '--', program], check=True)
        places = addresses(genmark, trace, program)
        size = debug_bytes(program)
        yield ('how much there is', f'{len(places):,} addresses, {size / 2**20:.0f} MiB of debug information',
               f'≥ {LEAST_ADDRESSES:,}, {LEAST_BYTES >> 20} MiB', size >= LEAST_BYTES and len(places) >= LEAST_ADDRESSES)
        pack = [genmark, 'pack', trace, '-o', os.path.join(work, 'pack'), '--force']
        cached = dict(os.environ, XDG_CACHE_HOME=os.path.join(work, 'cache'))
        promised = f'≤ {LIMIT_SECONDS} s, {LIMIT_KIB >> 10} MiB'

        def line(what, words, environment):
            used = [run_timed(words, environment, folder) for _ in range(runs)]
            cpu, peak = min(u.cpu for u in used), max(u.peak for u in used)
            return (what, f'{cpu:.2f} s of processor time ({min(u.seconds for u in used):.2f} s by the clock), '
                    f'{peak / 1024:.0f} MiB', promised, cpu <= LIMIT_SECONDS and peak <= LIMIT_KIB)

        yield line('pack: all names', pack + ['--no-cache'], dict(os.environ))
        run_timed(pack, cached, folder)
        yield line('pack: the second time', pack, cached)
        if shutil.which('addr2line'):
            with open(os.path.join(work, 'addresses'), 'w', encoding='utf-8') as file:
                file.writelines(f'{place:#x}\n' for place in places)
            used = run_timed(['sh', '-c', f'addr2line -ifC -e {program} < {work}/addresses'], dict(os.environ), folder)
            yield ('addr2line -ifC for the same', f'{used.cpu:.2f} s of processor time, {used.peak / 1024:.0f} MiB', '–', None)
    finally:
        shutil.rmtree(work, ignore_errors=True)
