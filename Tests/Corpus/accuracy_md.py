# SPDX-License-Identifier: MIT
"""Writes a section of ACCURACY.md: what stands between two comments with its name. The rest is written by hand.

    accuracy_md.py NAME < LINES
"""
import os
import sys

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'ACCURACY.md')


def write(name, lines):
    with open(PATH, encoding='utf-8') as file:
        text = file.read()
    begin, end = f'<!-- {name} -->\n', f'<!-- end of {name} -->\n'
    if begin not in text or end not in text:
        raise ValueError(f'{PATH} has no place for {name}')
    before, rest = text.split(begin, 1)
    after = rest.split(end, 1)[1]
    with open(PATH, 'w', encoding='utf-8') as file:
        file.write(before + begin + '\n'.join(lines).rstrip() + '\n' + end + after)


if __name__ == '__main__':
    write(sys.argv[1], sys.stdin.read().splitlines())
