# SPDX-License-Identifier: MIT
"""The table: every workload bare, through a pass-through interposer, and under each recorder in turn.

What is said beside the table is promises.py's; RESULTS.md is written by results.py.
"""
import os
import shutil
import statistics
import subprocess
import tempfile
import time

from measure import Failed
from recorders import Genmark

HEAPTRACK_TIMES = 5                            # at least so many times less overhead than heaptrack


class Result:
    """The runs of one workload with one recorder."""

    def __init__(self):
        self.seconds, self.ratios, self.cpu_ratios, self.peaks = [], [], [], []
        self.file_bytes = self.report_seconds = self.error = None

    def ratio(self):
        """Median of the paired runs' wall clock; None when it failed or did not take part."""
        return round(statistics.median(self.ratios), 2) if self.ratios and not self.error else None

    def text(self):
        return f'died: {self.error}' if self.error else f'{self.ratio():.2f}' if self.ratios else '–'


def measure(workload, recorders, turns, others_turns, build, rows):
    """recorder name → Result; raw rows are appended."""
    results = {r.name: Result() for r in recorders}
    for turn in range(turns):
        bare = None
        for recorder in recorders:
            result = results[recorder.name]
            if result.error or (recorder.name in ('heaptrack', 'LSan') and turn >= others_turns):
                continue
            work = tempfile.mkdtemp(dir=build)
            try:
                usage = workload.measure(recorder, build, work)
                bare = bare or usage
                result.seconds.append(usage.seconds)
                result.ratios.append(usage.seconds / bare.seconds)
                result.cpu_ratios.append(usage.cpu / bare.cpu)
                result.peaks.append(usage.peak)
                result.file_bytes = recorder.file_bytes(work)
                if isinstance(recorder, Genmark) and turn == 0:
                    result.report_seconds = time_report(recorder, work)
                rows.append([workload.name, recorder.name, turn, f'{usage.seconds:.4f}', f'{usage.cpu:.4f}', usage.peak,
                             result.file_bytes or ''])
            except (Failed, OSError) as error:
                if recorder.name == 'bare':
                    raise
                result.error = str(error)
                rows.append([workload.name, recorder.name, turn, str(error), '', '', ''])
            finally:
                shutil.rmtree(work, ignore_errors=True)
    return results


def time_report(recorder, work):
    """Seconds until `genmark generations` has read and named the largest trace."""
    trace = max(recorder.traces(work), key=os.path.getsize, default=None)
    if trace is None:
        return None
    began = time.monotonic()
    subprocess.run([recorder.command, 'generations', trace, '--by', 'call-site'], stdout=subprocess.DEVNULL, check=False)
    return time.monotonic() - began


def size(count):
    if count is None:
        return '–'
    return f'{count / 1e6:.1f} MB' if count >= 1e5 else f'{count / 1e3:.1f} kB'


def against_target(ratio, target):
    if target is None or ratio is None:
        return '–'
    return f'{target} met' if ratio <= target else f'{target} **not met**'


def against_heaptrack(ratio, heaptrack):
    """How many times less is added than heaptrack adds, and whether that is enough."""
    if ratio is None or heaptrack is None:
        return '–'
    if ratio <= 1:
        return 'adds nothing'
    times = (heaptrack - 1) / (ratio - 1)
    return f'{times:.1f} ' + ('met' if times >= HEAPTRACK_TIMES else '**not met**')


def table_row(workload, results):
    bare, genmark = results['bare'], results['genmark']
    absent = Result()
    passing, heaptrack, lsan = (results.get(name, absent) for name in ('pass-through', 'heaptrack', 'LSan'))
    more = f'+{(max(genmark.peaks) - max(bare.peaks)) / 1024:.0f} MiB' if genmark.peaks else '–'
    read = f'{genmark.report_seconds:.2f} s' if genmark.report_seconds is not None else '–'
    cpu = f'{statistics.median(genmark.cpu_ratios):.2f}' if genmark.cpu_ratios else '–'
    return [workload.title, f'{statistics.median(bare.seconds):.2f} s', passing.text(), f'**{genmark.text()}**',
            against_target(genmark.ratio(), workload.target), cpu, lsan.text(), heaptrack.text(),
            against_heaptrack(genmark.ratio(), heaptrack.ratio()), f'{max(bare.peaks) / 1024:.0f} MiB', more,
            size(genmark.file_bytes), size(heaptrack.file_bytes), read]


COLUMNS = ['workload', 'bare', 'pass-through', 'genmark', 'target', 'its processor time', 'LSan', 'heaptrack',
           'heaptrack adds, times', 'memory bare', 'genmark\'s', 'trace', 'heaptrack\'s file', 'time to read']


def markdown(columns, rows):
    lines = ['| ' + ' | '.join(columns) + ' |', '|' + ' --- |' * len(columns)]
    return '\n'.join(lines + ['| ' + ' | '.join(row) + ' |' for row in rows])
