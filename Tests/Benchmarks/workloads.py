# SPDX-License-Identifier: MIT
"""What is recorded: programs of ours and of others, each with the ratio that genmark should stay within.

The targets are wall clock as ratio to the bare program. Recorders are recorders.py's, measuring is
measure.py's.
"""
import os
import shutil
import subprocess
import time

from measure import Failed, Usage, run_timed

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, 'workloads')


class Workload:
    """A command that is run to its end; `needs` must be on the PATH."""

    def __init__(self, name, title, target, words, needs=(), environment=None, build=None):
        self.name, self.title, self.target = name, title, target
        self.words, self.needs, self.environment, self.build_words = words, needs, environment or {}, build

    def missing(self):
        """What is not installed, or None."""
        return next((n for n in self.needs if shutil.which(n) is None), None)

    def build(self, folder):
        if self.build_words:
            subprocess.run(self.build_words, cwd=folder, check=True)

    def measure(self, recorder, folder, work):
        """Usage of one run; raises Failed when the run fails."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(('GENMARK_', 'LD_'))}
        environment.update(self.environment)
        words, environment = recorder.wrap(self.words, environment, work)
        return run_timed(words, environment, folder, recorder.limit_bytes, recorder.limit_seconds)


class Redis(Workload):
    """redis-server, recorded, under redis-benchmark on a socket, which is not; the time is the client's."""

    def measure(self, recorder, folder, work):
        socket = os.path.join(work, 'redis.sock')
        server = [shutil.which('redis-server'), '--port', '0', '--unixsocket', socket, '--save', '', '--dir', work]
        words, environment = recorder.wrap(server, dict(os.environ), work)
        with open(os.devnull, 'r+b') as null:
            process = subprocess.Popen(words, env=environment, stdin=null, stdout=null, stderr=null)
            try:
                while subprocess.run(['redis-cli', '-s', socket, 'ping'], stdout=null, stderr=null, check=False).returncode:
                    if process.poll() is not None:
                        raise Failed('redis-server does not start')
                    time.sleep(0.02)
                client = ['redis-benchmark', '-s', socket, '-q', '-n', '150000', '-r', '20000', '-t', 'set,get,lpush,hset']
                seconds = run_timed(client, dict(os.environ), folder).seconds
            finally:
                subprocess.run(['redis-cli', '-s', socket, 'shutdown', 'nosave'], stdout=null, stderr=null, check=False)
                if process.returncode is None:
                    _, status, usage = os.wait4(process.pid, 0)
                    process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise Failed(f'ends with {process.returncode}')
        return Usage(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def compiled(compiler, name, *flags):
    extension = {'gcc': 'c', 'g++': 'cpp', 'swiftc': 'swift'}[compiler]
    return [compiler, *flags, '-o', name, source(f'{name}.{extension}')]


def source(name):
    return os.path.join(SOURCES, name)


def cc1plus(*flags, file=source('templates.cpp')):
    """gcc's C++ compiler proper, without the driver, on an STL-heavy file of ours or another."""
    return [told_by_gcc('-print-prog-name=cc1plus'), '-quiet', '-imultiarch', told_by_gcc('-print-multiarch'), '-D_GNU_SOURCE',
            '-std=c++17', *flags, file, '-o', os.devnull]


def told_by_gcc(question):
    return subprocess.run(['g++', question], capture_output=True, text=True, check=True).stdout.strip()


def all_workloads():
    """Those of the table, in its order."""
    c, cxx, swift = ('-O2', '-g', '-pthread'), ('-std=c++17', '-O2', '-g'), ('-O', '-g')
    return [
        Workload('churn', 'churn, depth 12', 1.7, ['./churn', '20', '12'], build=compiled('gcc', 'churn', *c)),
        Workload('churn60', 'churn, depth 60', None, ['./churn', '8', '60'], build=compiled('gcc', 'churn', *c)),
        Workload('deep', 'deep C++ (std::map, std::function)', 2.4, ['./deep', '5'], build=compiled('g++', 'deep', *cxx)),
        Workload('threads', '4 threads, cross-thread frees', 1.8, ['./threads', '5', '4'],
                 build=compiled('gcc', 'threads', *c)),
        Workload('hammer', '4 threads at one call site, freeing each other\'s', None, ['./hammer', '3', '4'],
                 build=compiled('gcc', 'hammer', *c)),
        Workload('live', '10 million live blocks, then freed', 1.4, ['./live', '10'], build=compiled('gcc', 'live', *c)),
        Workload('swift', 'Swift screen cycles (release)', 1.5, ['./screens', '2000'], ('swiftc',),
                 build=compiled('swiftc', 'screens', *swift)),
        Workload('sqlite', 'sqlite3 script', 1.4, ['sqlite3', ':memory:', '.read script.sql'], ('sqlite3',)),
        Workload('python', 'python3, PYTHONMALLOC=malloc', 1.5, ['/usr/bin/python3', source('script.py'), '60'],
                 ('/usr/bin/python3',), {'PYTHONMALLOC': 'malloc'}),
        Workload('perl', 'perl script', 1.25, ['/usr/bin/perl', source('script.pl'), '40'], ('/usr/bin/perl',)),
        Workload('tcl', 'tclsh script', 1.08, ['tclsh', source('script.tcl'), '20'], ('tclsh',)),
        Workload('cc1plus', 'cc1plus -O2, STL-heavy', 1.2,
                 cc1plus('-O2')),
        Workload('clang', 'clang++ -O2', 1.25,
                 ['clang', '-x', 'c++', '-O2', '-std=c++17', '-c', source('templates.cpp'), '-o', os.devnull], ('clang',)),
        Workload('git', 'git log -p', 1.12, ['git', '-C', 'repository.git', '--no-pager', 'log', '-p'], ('git',)),
        Redis('redis', 'redis-server, redis-benchmark', 1.2, [], ('redis-server', 'redis-benchmark', 'redis-cli')),
    ]
