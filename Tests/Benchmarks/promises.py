# SPDX-License-Identifier: MIT
"""What is promised beside the ratios, each by a name of its own: memory, trace size, marks, start-up, depth, threads, reading.

Lines that are counts (bytes, instructions) and not times are also tests: `run --counts` measures them small, and fails where
a limit is not kept. How a program's memory is looked at is memory.py's.
"""
import json
import os
import platform
import re
import shutil
import statistics
import struct
import subprocess
import time

import symbols
from measure import Failed, run_timed
from memory import heap_stages
from recorders import Heaptrack, Recorder
from workloads import cc1plus, compiled

MIB = 1 << 20
NODE_COUNT_OFFSET = 320                        # of gm_header.node_count in a trace


class Line:
    """One thing measured, and what was promised of it. `met` None: nothing to compare with here."""

    def __init__(self, what, measured, promised, met):
        self.what, self.measured, self.promised, self.met = what, measured, promised, met

    def verdict(self):
        return 'skipped' if self.met is None else 'met' if self.met else '**not met**'


class Promise:
    """A name, and the function that yields its lines. `counts`: can be asked for without times."""

    def __init__(self, name, function, counts=False):
        self.name, self.measure, self.counts = name, function, counts


def build(folder, compiler, name, *flags):
    subprocess.run(compiled(compiler, name, *flags), cwd=folder, check=True)


def fresh(folder, name):
    path = os.path.join(folder, f'promise-{name}')
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def record(recorder, words, folder, environment=None):
    """(usage, bytes of what it wrote, its folder) of one run."""
    work = fresh(folder, 'run')
    wrapped, around = recorder.wrap(words, {**os.environ, **(environment or {})}, work)
    usage = run_timed(wrapped, around, folder, recorder.limit_bytes, recorder.limit_seconds)
    return usage, recorder.file_bytes(work), work


def mebibytes(count):
    return f'{count / MIB:.1f} MiB'


# --- Memory -----------------------------------------------------------------------------------------------------------

START_LIMIT = 3 * MIB
# What was taken and is not given back after all was freed: 10 %, and what a huge page may hold.
RETURNED_SHARE, RETURNED_SLACK = 0.10, 2 * MIB
MOVING_KERNEL = (5, 7)


def memory(genmark, folder, runs, counts):
    """The recorder's memory, beside the bytes asked for in a heap of one size of block, and of mixed sizes."""
    build(folder, 'gcc', 'heap', '-O2', '-g', '-pthread')
    heap = 128 if counts else 512
    started = None
    for what, least, most, share in (('all blocks of 32 bytes', 32, 32, 0.50), ('mean of 64 bytes', 1, 127, 0.25),
                                     ('mean of 256 bytes', 1, 511, 0.10)):
        stages = heap_stages(genmark, folder, fresh(folder, 'heap'), heap, least, most)
        started = started or stages['start']
        used = stages['full'].private + stages['full'].trace
        yield Line(f'heap of {heap} MiB, {what}', f'{used / heap / MIB:.1%} ({mebibytes(stages["full"].private)} and '
                   f'{mebibytes(stages["full"].trace)} of the trace)', f'≤ {share:.0%}', used <= share * heap * MIB)
    used = started.private + started.trace
    yield Line('at the start of the program', f'{mebibytes(started.private)} and {mebibytes(started.trace)} of the trace',
               f'≤ {mebibytes(START_LIMIT)}', used <= START_LIMIT)


def returned(genmark, folder, runs, counts):
    """The recorder's memory after a heap was freed and the program has gone on a little."""
    if tuple(map(int, re.findall(r'\d+', platform.release())[:2])) < MOVING_KERNEL:
        yield Line('memory kept when a heap was freed', f'Linux {platform.release()} can not move pages', 'Linux 5.7', None)
        return
    build(folder, 'gcc', 'heap', '-O2', '-g', '-pthread')
    heap = 128 if counts else 512
    for what, least, most, threads in (('heap, one thread', 16, 96, 0), ('heaps of 4 threads', 16, 96, 4),
                                       ('mappings, one thread', 200000, 300000, 0),
                                       ('mappings of 4 threads', 200000, 300000, 4)):
        size = heap if most < 1000 else 20 * heap          # their blocks are not touched but for the first page
        stages = heap_stages(genmark, folder, fresh(folder, 'heap'), size, least, most, threads)
        taken = stages['full'].private - stages['start'].private
        kept = stages['freed'].private - stages['start'].private
        yield Line(f'{what}: kept when {size} MiB were freed', f'{mebibytes(kept)} of {mebibytes(taken)}',
                   f'≤ {RETURNED_SHARE:.0%} + {mebibytes(RETURNED_SLACK)}', kept <= RETURNED_SHARE * taken + RETURNED_SLACK)


# --- Size of the trace --------------------------------------------------------------------------------------------------

EVENTS_RATIO, HEAPTRACK_SHARE = 1.1, 0.01


def size(genmark, folder, runs, counts):
    """Bytes of the trace: ten times the events, and beside heaptrack's file."""
    build(folder, 'gcc', 'churn', '-O2', '-g', '-pthread')
    millions = 0.1 if counts else 1
    for depth in '12', '60':
        few, many = (record(genmark, ['./churn', str(times * millions), depth], folder)[1] for times in (1, 10))
        yield Line(f'churn, depth {depth}: bytes at ten times the events', f'{many / few:.2f} times {few / 1e3:.0f} kB',
                   f'≤ {EVENTS_RATIO}', many <= EVENTS_RATIO * few)
    if counts:
        return
    for depth, pairs in ('12', '20'), ('60', '8'):
        words = ['./churn', pairs, depth]
        if not Heaptrack().is_there():
            yield Line(f'{" ".join(words)[2:]}: share of heaptrack\'s file', 'no heaptrack here', f'≤ {HEAPTRACK_SHARE:.0%}', None)
            continue
        ours, theirs = record(genmark, words, folder)[1], record(Heaptrack(), words, folder)[1]
        yield Line(f'{" ".join(words)[2:]}: share of heaptrack\'s file', f'{ours / theirs:.2%} of {theirs / 1e6:.0f} MB',
                   f'≤ {HEAPTRACK_SHARE:.0%}', ours <= HEAPTRACK_SHARE * theirs)


# --- Marks --------------------------------------------------------------------------------------------------------------

MARKS_TRACE_LIMIT, MARK_LIMIT_NS, MARKS_CELLS = 64 * MIB, 1_000_000, 100_000


def mark_times(genmark, folder, words):
    """({median, 99th percentile, longest} in ns, trace) of workloads/marks.c."""
    work = fresh(folder, 'marks')
    wrapped, around = genmark.wrap(['./marks', *words], dict(os.environ), work)
    text = subprocess.run(wrapped, env=around, cwd=folder, capture_output=True, text=True, check=True).stdout
    return [int(number) for number in re.findall(r'(\d+) ns', text)], genmark.traces(work)[0]


def verdicts(genmark, trace):
    """What `genmark growth` finds, in a form to compare: verdict, blocks and bytes a cycle."""
    text = subprocess.run([genmark.command, 'growth', trace, '--json', '--no-symbols'], capture_output=True, text=True,
                          check=False).stdout
    return [(f['verdict'], f['blocksPerCycle'], f['bytesPerCycle']) for f in json.loads(text)['findings']]


def marks(genmark, folder, runs, counts):
    """A million marks under default limits, and marks beside many live cells."""
    build(folder, 'gcc', 'marks', '-O2', '-g', '-fno-builtin')
    many, few = (50_000, 1_000) if counts else (1_000_000, 10_000)
    _, trace = mark_times(genmark, folder, [str(few)])
    expected = verdicts(genmark, trace)
    times, trace = mark_times(genmark, folder, [str(many)])
    found, written = verdicts(genmark, trace), os.path.getsize(trace)
    yield Line(f'{many:,} marks: trace', mebibytes(written), f'≤ {mebibytes(MARKS_TRACE_LIMIT)}', written <= MARKS_TRACE_LIMIT)
    yield Line(f'{many:,} marks: verdicts', ', '.join(f'{v} {b:g} B a cycle' for v, _, b in found), f'those of {few:,} marks',
               found == expected and len(found) == 1)
    if counts:
        return
    yield Line(f'{many:,} marks', f'median {times[0] / 1e3:.1f} µs, 99 % under {times[1] / 1e3:.0f} µs, longest '
               f'{times[2] / 1e6:.1f} ms', '99 % ≤ 1 ms', times[1] <= MARK_LIMIT_NS)
    for changed in 0, 1000:
        times, _ = mark_times(genmark, folder, ['2000', str(MARKS_CELLS), str(changed)])
        yield Line(f'marks with {MARKS_CELLS:,} live cells, {changed:,} of them born anew in each cycle',
                   f'median {times[0] / 1e3:.1f} µs, 99 % under {times[1] / 1e3:.0f} µs, longest {times[2] / 1e6:.1f} ms',
                   '99 % ≤ 1 ms', times[1] <= MARK_LIMIT_NS)


# --- Start-up -----------------------------------------------------------------------------------------------------------

START_PAIRS, START_LIMIT_MS = 100, 5.0


def start(genmark, folder, runs, counts):
    """Milliseconds that `true` takes longer, median of pairs."""
    differences, path = [], shutil.which('true')
    for _ in range(START_PAIRS):
        bare = record(Recorder(), [path], folder)[0].seconds
        differences.append(record(genmark, [path], folder)[0].seconds - bare)
    longer = statistics.median(differences) * 1000
    yield Line('`true` takes longer by', f'{longer:.1f} ms', f'≤ {START_LIMIT_MS:g} ms', longer <= START_LIMIT_MS)


# --- Cost of a pair -----------------------------------------------------------------------------------------------------

PAIR_RATIO = 1.5


def added_ns(genmark, folder, words, pairs, runs):
    """Nanoseconds of processor time that recording adds to a malloc and its free: median of paired runs."""
    return statistics.median((record(genmark, words, folder)[0].cpu - record(Recorder(), words, folder)[0].cpu) / pairs * 1e9
                             for _ in range(runs))


def depth(genmark, folder, runs, counts):
    """What a pair costs more at depth 60 than at depth 12."""
    build(folder, 'gcc', 'churn', '-O2', '-g', '-pthread')
    shallow, deep = (added_ns(genmark, folder, ['./churn', '10', d], 10e6, runs) for d in ('12', '60'))
    yield Line('added to a malloc and its free at depth 60', f'{deep:.1f} ns, {deep / shallow:.2f} times the {shallow:.1f} ns at '
               'depth 12', f'≤ {PAIR_RATIO}', deep <= PAIR_RATIO * shallow)


def contention(genmark, folder, runs, counts):
    """What a pair costs more in 4 threads than in one, by processor time."""
    for name, title in ('threads', 'cross-thread frees'), ('hammer', 'one call site, freeing each other\'s'):
        build(folder, 'gcc', name, '-O2', '-g', '-pthread')
        one, four = (added_ns(genmark, folder, [f'./{name}', str(8 / t), str(t)], 8e6, runs) for t in (1, 4))
        yield Line(f'added to a malloc and its free by 4 threads: {title}', f'{four:.1f} ns, {four / one:.2f} times the '
                   f'{one:.1f} ns of one thread', f'≤ {PAIR_RATIO}', four <= PAIR_RATIO * one)


# --- Instructions -------------------------------------------------------------------------------------------------------

# Wider than what is reached: a compiler may take some more.
INSTRUCTIONS_LIMIT, INSTRUCTIONS_RATIO = 700, 1.8
FEW_PAIRS = 20_000


def executed(genmark, folder, words):
    """Instructions of a run, recorded or not, as valgrind counts them."""
    work = fresh(folder, 'callgrind')
    environment = dict(os.environ, GENMARK_RUN='1')
    counting = ['valgrind', '--tool=callgrind', f'--callgrind-out-file={work}/out', *words]
    wrapped, around = genmark.wrap(counting, environment, work) if genmark else (counting, environment)
    done = subprocess.run(wrapped, env=around, cwd=folder, capture_output=True, text=True, check=False)
    found = re.search(r'Collected : (\d+)', done.stderr)
    if done.returncode or not found:
        raise Failed(f'valgrind ends with {done.returncode}: {done.stderr[-300:]}')
    return int(found[1])


def added_instructions(genmark, folder, words):
    """To a malloc and its free: by the difference of a run and one twice as long, so that starting and learning count little."""
    def more(recorder):
        short, long = (executed(recorder, folder, [words[0], str(n * FEW_PAIRS / 1e6), words[1]]) for n in (1, 2))
        return long - short
    return (more(genmark) - more(None)) / FEW_PAIRS


def instructions(genmark, folder, runs, counts):
    """Instructions that recording adds to a malloc and its free."""
    if shutil.which('valgrind') is None:
        yield Line('instructions of a malloc and its free', 'no valgrind here', f'≤ {INSTRUCTIONS_LIMIT}', None)
        return
    for name in 'churn', 'hammer':
        build(folder, 'gcc', name, '-O2', '-g', '-pthread')
    try:
        executed(None, folder, ['./churn', '0'])
    except Failed as error:
        yield Line('instructions of a malloc and its free', f'valgrind does not run here: {error}', f'≤ {INSTRUCTIONS_LIMIT}', None)
        return
    one = added_instructions(genmark, folder, ['./churn', '12'])
    yield Line('instructions added to a malloc and its free at depth 12', f'{one:.0f}', f'≤ {INSTRUCTIONS_LIMIT}',
               one <= INSTRUCTIONS_LIMIT)
    deep = added_instructions(genmark, folder, ['./churn', '60'])
    yield Line('instructions at depth 60', f'{deep:.0f}, {deep / one:.2f} times', f'≤ {INSTRUCTIONS_RATIO}',
               deep <= INSTRUCTIONS_RATIO * one)
    one, four = (added_instructions(genmark, folder, ['./hammer', str(t)]) / t for t in (1, 4))
    yield Line('instructions with 4 threads at one call site', f'{four:.0f}, {four / one:.2f} times one thread\'s {one:.0f}',
               f'≤ {PAIR_RATIO}', four <= PAIR_RATIO * one)


# --- Reading ------------------------------------------------------------------------------------------------------------

READING_SECONDS, READING_BYTES, LINEAR = 2.0, 500 * MIB, 1.3
READING_MARKS = '500ms'


def nodes_of(trace):
    with open(trace, 'rb') as file:
        return struct.unpack_from('<Q', file.read(NODE_COUNT_OFFSET + 8), NODE_COUNT_OFFSET)[0]


def reading(genmark, folder, runs, counts):
    """`genmark growth` without symbols on traces of a C++ compiler, small and large, by processor time."""
    costs, work = [], fresh(folder, 'reading')
    small = os.path.join(work, 'small.cpp')
    with open(small, 'w', encoding='utf-8') as file:
        file.write('#include <map>\n#include <string>\nstd::map<std::string, int> table;\n')
    for name, words in ('small', cc1plus('-O2', file=small)), ('large', cc1plus('-O2')):
        trace = os.path.join(work, f'{name}.genmark')
        run_timed([genmark.command, 'run', '--every', READING_MARKS, '-o', trace, '--', *words], dict(os.environ), folder)
        nodes = nodes_of(trace)
        usages = [run_timed([genmark.command, 'growth', '--no-symbols', trace], dict(os.environ), folder) for _ in range(runs)]
        seconds, peak = min(u.cpu for u in usages), max(u.peak for u in usages) * 1024
        costs.append((seconds, nodes))
        yield Line(f'growth --no-symbols, trace of cc1plus with {nodes / 1e6:.2f} million nodes',
                   f'{seconds:.2f} s, {mebibytes(peak)}', f'≤ {READING_SECONDS:g} s, {mebibytes(READING_BYTES)}',
                   seconds <= READING_SECONDS and peak <= READING_BYTES)
    (less, few), (more, many) = costs
    growth = (more / many) / (less / few)
    yield Line(f'cost of a node at {many / few:.1f} times the nodes', f'{growth:.2f} times', f'≤ {LINEAR}', growth <= LINEAR)


def symbols_of_a_large_program(genmark, folder, runs, counts):
    """How long names take."""
    yield from (Line(*line) for line in symbols.lines(genmark.command, folder, runs))


def all_promises():
    return [
        Promise('memory', memory, counts=True),
        Promise('returned', returned, counts=True),
        Promise('size', size, counts=True),
        Promise('marks', marks, counts=True),
        Promise('start', start),
        Promise('depth', depth),
        Promise('contention', contention),
        Promise('instructions', instructions, counts=True),
        Promise('reading', reading),
        Promise('symbols', symbols_of_a_large_program),
    ]
