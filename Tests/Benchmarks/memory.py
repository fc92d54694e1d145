# SPDX-License-Identifier: MIT
"""What memory a recorder takes: the private memory of a recorded program less that of the same program bare, at the pauses that
workloads/heap.c makes. The resident part of the trace, which is a file, is said apart.
"""
import os
import re
import subprocess
from typing import NamedTuple

from recorders import Recorder

STAGES = ('start', 'full', 'freed')


class Memory(NamedTuple):
    private: int                               # bytes of private pages, but for those of the trace
    trace: int                                 # resident bytes of the trace


def memory_of(pid):
    """Of a running process, by its mappings."""
    private = trace = 0
    is_trace = False
    with open(f'/proc/{pid}/smaps', encoding='utf-8', errors='replace') as file:
        for line in file:
            if re.match(r'[0-9a-f]+-[0-9a-f]+ ', line):
                is_trace = line.rstrip().endswith('.genmark')
                continue
            name, _, rest = line.partition(':')
            if is_trace and name == 'Rss':
                trace += int(rest.split()[0]) * 1024
            elif not is_trace and name in ('Private_Clean', 'Private_Dirty'):
                private += int(rest.split()[0]) * 1024
    return Memory(private, trace)


def stages_of(recorder, folder, work, words):
    """stage → Memory of heap.c."""
    wrapped, environment = recorder.wrap(words, dict(os.environ), work)
    stages = {}
    with subprocess.Popen(wrapped, env=environment, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for stage in STAGES:
            said = process.stdout.readline().strip()
            if said != stage:
                raise RuntimeError(f'heap says {said!r} and not {stage!r}')
            stages[stage] = memory_of(process.pid)
            process.stdin.write('\n')
            process.stdin.flush()
    if process.returncode:
        raise RuntimeError(f'heap ends with {process.returncode}')
    return stages


def heap_stages(recorder, folder, work, mebibytes, least, most, threads=0):
    """stage → Memory that the recorder adds, with a heap of that many MiB in blocks of least to most bytes."""
    words = ['./heap', str(mebibytes), str(least), str(most), str(threads)]
    bare, recorded = stages_of(Recorder(), folder, work, words), stages_of(recorder, folder, work, words)
    return {stage: Memory(recorded[stage].private - bare[stage].private, recorded[stage].trace) for stage in STAGES}
