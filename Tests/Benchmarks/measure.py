# SPDX-License-Identifier: MIT
"""Running a command once: how long it took, what it used, and an end for those that take too much.

What is run is workloads.py's; runs are put together in table.py and promises.py.
"""
import os
import signal
import subprocess
import threading
import time
from typing import NamedTuple

LOOK_EVERY = 0.25                              # seconds


class Failed(RuntimeError):
    """The program did not end as it should."""


class Usage(NamedTuple):
    seconds: float                             # wall clock
    cpu: float                                 # seconds of user and system time, with children that were waited for
    peak: int                                  # KiB of resident memory, of the largest process


def resident_bytes(session):
    """Of all processes of a session."""
    total = 0
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open(f'/proc/{name}/stat', encoding='utf-8', errors='replace') as file:
                    fields = file.read().rpartition(')')[2].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                total += int(fields[21]) * os.sysconf('SC_PAGE_SIZE')
    return total


def watch(process, done, limit_bytes, limit_seconds, reason):
    """Ends the session of a process that takes too much, and puts into `reason` why."""
    began = time.monotonic()
    while not done.wait(LOOK_EVERY):
        if resident_bytes(process.pid) > limit_bytes:
            reason.append(f'took {limit_bytes / 1e9:.1f} GB')
        elif time.monotonic() - began > limit_seconds:
            reason.append(f'took {limit_seconds} s')
        else:
            continue
        os.killpg(process.pid, signal.SIGKILL)
        return


def run_timed(words, environment, folder, limit_bytes=None, limit_seconds=None):
    """Usage of one run, its output thrown away. With limits it runs in a session of its own and is ended past them."""
    reason, done = [], threading.Event()
    with open(os.devnull, 'r+b') as null:
        began = time.monotonic()
        process = subprocess.Popen(words, cwd=folder, env=environment, stdin=null, stdout=null, stderr=null,
                                   start_new_session=limit_bytes is not None)
        if limit_bytes is not None:
            watcher = threading.Thread(target=watch, args=(process, done, limit_bytes, limit_seconds, reason))
            watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if limit_bytes is not None:
        done.set()
        watcher.join()
    if reason:
        raise Failed(reason[0])
    if process.returncode:
        raise Failed(f'ends with {process.returncode}')
    return Usage(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
