#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether traces hold together: read here from the bytes, by the format's own description, and by the command.

    consistent.py --genmark PATH [--losses FILE] TRACE…

FILE gets a line "KIND COUNT" for what all of them lost together.
For each: in every cell freed ≤ born, blocks and bytes alike; the sum over all cells is what the command says is alive at
the end; in every generation transient = born − persistent, and its call sites add up to what persists.
"""
import argparse
import json
import os
import struct
import subprocess
import sys

CELLS, COUNTERS = 2, 3
CELLS_PER_EXTENT, DIRTY_BYTES, EXTENT_HEAD, COUNTER, CELL = 256, 64, 64, 32, 64


def read_cells(path):
    """Live blocks and bytes over all cells, and what is wrong with any of them."""
    with open(path, 'rb') as file:
        head = file.read(4096)
        if len(head) < 4096 or head[:8] != b'GENMARK\0':
            return (0, 0), ['no header']
        used = struct.unpack_from('<Q', head, 192)[0]
        cell_count = struct.unpack_from('<Q', head, 328)[0]
        file.seek(0)
        data = file.read(used)
    sums = {}
    at = 4096
    while at + EXTENT_HEAD <= len(data):
        magic, kind, size, first = struct.unpack_from('<IIQQ', data, at)
        if magic != 0x746e7845 or size < EXTENT_HEAD:
            return (0, 0), [f'extent at {at} is not one']
        if kind == COUNTERS:
            base = at + EXTENT_HEAD + DIRTY_BYTES
            for i in range(CELLS_PER_EXTENT):
                values = struct.unpack_from('<4q', data, base + i * COUNTER)
                if any(values):
                    before = sums.get(first + i, (0, 0, 0, 0))
                    sums[first + i] = tuple(a + b for a, b in zip(before, values))
        at += size
    wrong = []
    for cell, (born, born_bytes, freed, freed_bytes) in sums.items():
        if freed > born or freed_bytes > born_bytes or (freed == born and freed_bytes != born_bytes):
            wrong.append(f'cell {cell}: born {born} ({born_bytes} B), freed {freed} ({freed_bytes} B)')
        if cell >= cell_count or cell == 0:
            wrong.append(f'cell {cell} counts and there are {cell_count}')
    live = (sum(b - f for b, _, f, _ in sums.values()), sum(b - f for _, b, _, f in sums.values()))
    return live, wrong


def check(genmark, path, losses):
    live, wrong = read_cells(path)
    command = [genmark, 'generations', path, '--by', 'call-site', '--no-symbols', '--json']
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return wrong + [f'status {done.returncode}: {done.stderr.strip()[-200:]}']
    for loss in report['trace']['losses']:
        if loss['count']:
            losses[loss['kind']] = losses.get(loss['kind'], 0) + loss['count']
    # A mark whose changes had no room says so and does not know what was born before it.
    complete = not any(l['kind'] == 'history' and l['count'] for l in report['trace']['losses'])
    blocks = size = 0
    for g in report['generations']:
        name = f'generation {g["generation"]}'
        if complete and (g['transientBlocks'] != g['bornBlocks'] - g['persistentBlocks'] or g['transientBlocks'] < 0):
            wrong.append(f'{name}: born {g["bornBlocks"]}, persistent {g["persistentBlocks"]}, transient {g["transientBlocks"]}')
        if sum(c['blocks'] for c in g['callSites']) != g['persistentBlocks']:
            wrong.append(f'{name}: call sites do not add up to {g["persistentBlocks"]}')
        if sum(c['bytes'] for c in g['callSites']) != g['growthBytes']:
            wrong.append(f'{name}: bytes of call sites do not add up to {g["growthBytes"]}')
        blocks += g['persistentBlocks']
        size += g['growthBytes']
    if (blocks, size) != live:
        wrong.append(f'alive by the command {blocks} ({size} B), by the cells {live[0]} ({live[1]} B)')
    last = report['generations'][-1]
    if last['liveBlocks'] != live[0] or last['liveBytes'] != live[1]:
        wrong.append(f'live at the end {last["liveBlocks"]} ({last["liveBytes"]} B), by the cells {live[0]} ({live[1]} B)')
    done = subprocess.run([genmark, 'growth', path, '--all', '--no-symbols', '--json'], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1, 2) and 'no marks' not in done.stderr:
        wrong.append(f'growth ends with {done.returncode}: {done.stderr.strip()[-200:]}')
    return wrong


def main():
    parser = argparse.ArgumentParser(description='Checks that traces hold together.')
    parser.add_argument('--genmark', required=True)
    parser.add_argument('--losses')
    parser.add_argument('traces', nargs='+')
    a = parser.parse_args()
    failed, losses = 0, {}
    for path in a.traces:
        wrong = check(a.genmark, path, losses)
        if wrong:
            failed += 1
            print(f'{os.path.basename(path)}: ' + '; '.join(wrong[:4]))
    if a.losses:
        with open(a.losses, 'w', encoding='utf-8') as file:
            file.writelines(f'{kind} {count}\n' for kind, count in sorted(losses.items()))
    print(f'{len(a.traces) - failed} of {len(a.traces)} traces hold together')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
