# SPDX-License-Identifier: MIT
"""Damages files in the ways in which files are damaged: bits, words, cuts, repeats, swaps, and numbers at the edges.

The same seed gives the same damage on every machine. Running the command on it is run's work.
"""
import random
import struct

EDGES = (0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1 << 47,
         0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff)


def offset(r, data):
    """Somewhere in the file; the head, where counts and offsets are, more often."""
    if r.random() < 0.4:
        return r.randrange(min(len(data), 4096))
    return r.randrange(len(data))


def flip_bit(r, data):
    data[offset(r, data)] ^= 1 << r.randrange(8)


def set_byte(r, data):
    data[offset(r, data)] = r.randrange(256)


def set_word(r, data):
    width, code = r.choice(((2, '<H'), (4, '<I'), (8, '<Q')))
    at = offset(r, data) // width * width
    value = r.choice(EDGES) if r.random() < 0.7 else r.randrange(len(data) * 2)
    data[at:at + width] = struct.pack(code, value & ((1 << 8 * width) - 1))


def add_to_word(r, data):
    at = offset(r, data) // 8 * 8
    if at + 8 <= len(data):
        value = struct.unpack_from('<Q', data, at)[0] + r.choice((-64, -8, -1, 1, 8, 64, 4096))
        struct.pack_into('<Q', data, at, value & 0xffffffffffffffff)


def cut(r, data):
    del data[r.randrange(len(data)):]


def copy_range(r, data):
    length = min(r.choice((8, 24, 64, 512, 4096)), len(data))
    source, target = r.randrange(len(data) - length + 1), r.randrange(len(data) - length + 1)
    data[target:target + length] = data[source:source + length]


def zero_range(r, data):
    length = min(r.choice((8, 64, 512, 4096)), len(data))
    at = r.randrange(len(data) - length + 1)
    data[at:at + length] = bytes(length)


def insert(r, data):
    at = offset(r, data)
    data[at:at] = bytes(r.randrange(256) for _ in range(r.choice((1, 8, 64))))


def set_text(r, data):
    """For text formats: words that parsers trip over."""
    at = offset(r, data)
    word = r.choice((b'\x00', b'\n', b'"', b'\\u', b'{' * 2000, b'[' * 2000, b'1e999', b'-', b'\xff\xfe', b'*' * 500,
                     b'leak:', b'9' * 400, b'\xed\xa0\x80'))
    data[at:at + r.choice((0, len(word)))] = word


WAYS = (flip_bit, flip_bit, set_byte, set_word, set_word, set_word, add_to_word, cut, copy_range, zero_range, insert,
        set_text)


def damage(seed, good):
    """A damaged copy of the bytes; 1 to 8 kinds of damage."""
    r = random.Random(seed)
    data = bytearray(good)
    for _ in range(r.choice((1, 1, 1, 2, 3, 8))):
        if data:
            r.choice(WAYS)(r, data)
    return bytes(data)
