# SPDX-License-Identifier: MIT
"""Python: results are remembered by an lru_cache of 32, or with "endless" in a dict. PYTHONMALLOC=malloc.

script_python_memo.py CYCLES [endless]
"""
import ctypes
import functools
import sys


def find_mark():
    try:
        mark = ctypes.CDLL(None).genmark_mark
        mark.argtypes = [ctypes.c_char_p]
        return mark
    except AttributeError:
        return lambda label: None


def compute(key):
    return bytes(1000 + key % 2)


@functools.lru_cache(maxsize=32)
def bounded(key):
    return compute(key)


KEPT = {}


def endless(key):
    if key not in KEPT:
        KEPT[key] = compute(key)
    return KEPT[key]


def main():
    cycles = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    ask = endless if 'endless' in sys.argv else bounded
    mark = find_mark()
    for i in range(cycles):
        total = sum(len(ask(i * 4 + k)) for k in range(4))
        assert total
        mark(b'cycle')
    print(f'done {cycles}')


main()
