# SPDX-License-Identifier: MIT
"""RESULTS.md and the raw numbers beside it, with machine, versions and date. What is below "## Notes" there is kept."""
import csv
import os
import platform
import time

from table import COLUMNS, HEAPTRACK_TIMES, markdown

HERE = os.path.dirname(os.path.abspath(__file__))


def machine():
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        model = next((line.split(':')[1].strip() for line in file if line.startswith('model name')), platform.machine())
    with open('/proc/meminfo', encoding='utf-8') as file:
        memory = int(file.readline().split()[1]) >> 20
    with open('/etc/os-release', encoding='utf-8') as file:
        system = next(line.split('=')[1].strip().strip('"') for line in file if line.startswith('PRETTY_NAME'))
    return f'{model}, {os.cpu_count()} processors, {memory} GiB; {system}, Linux {platform.release()}, ' \
           f'{" ".join(platform.libc_ver())}'


def write_results(table, promises, raw, versions, turns, others_turns):
    date = time.strftime('%Y-%m-%d')
    os.makedirs(os.path.join(HERE, 'results'), exist_ok=True)
    name = f'results/{date}-{platform.machine()}.csv'
    with open(os.path.join(HERE, name), 'w', newline='', encoding='utf-8') as file:
        writer = csv.writer(file)
        writer.writerow(['workload', 'recorder', 'turn', 'seconds', 'cpu seconds', 'peak KiB', 'file bytes'])
        writer.writerows(raw)
    path = os.path.join(HERE, 'RESULTS.md')
    notes = ''
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            _, _, notes = file.read().partition('\n## Notes\n')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'''# What recording costs

Made by `make bench` on {date}; raw numbers in `{name}`.

Machine: {machine()}.{"  "}
Versions: {versions}.

Wall clock as ratio to the bare program, median of {turns} paired runs (heaptrack and LSan: {min(turns, others_turns)}). Memory
is the peak of resident memory; "genmark's" is what it adds. "its processor time": the same ratio of user and system time.
"heaptrack adds, times": how many times what genmark adds (ratio − 1); {HEAPTRACK_TIMES} is the least. "time to read":
`genmark generations --by call-site` with all names. "died": the program did not end as it should under that recorder, or the
recorder was ended because it took too much.

{markdown(COLUMNS, table)}

## Beside the ratios

Each line by `make bench WORKLOADS=NAME`.

{markdown(PROMISE_COLUMNS, promises)}

## Notes
{notes}''')
    print(f'wrote {os.path.relpath(path)}')


PROMISE_COLUMNS = ['name', 'what', 'measured', 'promised', '']
