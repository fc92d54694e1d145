/* SPDX-License-Identifier: MIT
 *
 * unwind_bytes.h: reading the bytes of unwind tables from front to back and never past their end. What they mean is in
 * unwind_row.c (instructions and expressions) and unwind_cfi.c (entries).
 *
 * Formats: DWARF 5 section 7.6 (LEB128), Linux Standard Base 5 (DW_EH_PE encodings).
 */
#ifndef GENMARK_UNWIND_BYTES_H
#define GENMARK_UNWIND_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { DW_OMITTED = 0xff /* encoding of a pointer that is not there */ };

/* Bytes that are read from front to back and never past the end. */
struct bytes {
    const uint8_t *at;
    const uint8_t *end;
    bool bad;              /* something did not fit; values read since are 0 */
};

static inline uint64_t read_fixed(struct bytes *bytes, size_t size)
{
    uint64_t value = 0;
    if ((size_t)(bytes->end - bytes->at) < size) {
        bytes->bad = true;
        bytes->at = bytes->end;
        return 0;
    }
    memcpy(&value, bytes->at, size);
    bytes->at += size;
    return value;
}

static inline uint64_t read_uleb(struct bytes *bytes)
{
    uint64_t value = 0;
    for (unsigned shift = 0; bytes->at < bytes->end; shift += 7) {
        uint8_t byte = *bytes->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    bytes->bad = true;
    return 0;
}

static inline int64_t read_sleb(struct bytes *bytes)
{
    uint64_t value = 0;
    for (unsigned shift = 0; bytes->at < bytes->end;) {
        uint8_t byte = *bytes->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (!(byte & 0x80)) {
            if (shift < 64 && (byte & 0x40))
                value |= ~0ull << shift;
            return (int64_t)value;
        }
    }
    bytes->bad = true;
    return 0;
}

static inline void skip(struct bytes *bytes, uint64_t size)
{
    if (size > (uint64_t)(bytes->end - bytes->at)) {
        bytes->bad = true;
        size = 0;
    }
    bytes->at += size;
}

/* A pointer in one of the DW_EH_PE encodings. `data` is what data-relative ones count from. Indirect ones are only
 * skipped here (personality routines); where a start of code is read they do not occur. */
static inline uintptr_t read_encoded(struct bytes *bytes, uint8_t encoding, uintptr_t data)
{
    enum { FORMAT = 0x0f, BASE = 0x70, FROM_HERE = 0x10, FROM_DATA = 0x30, ALIGNED = 0x50 };
    if (encoding == DW_OMITTED)
        return 0;
    if ((encoding & BASE) == ALIGNED)
        skip(bytes, (8 - ((uintptr_t)bytes->at & 7)) & 7);
    uintptr_t here = (uintptr_t)bytes->at;
    uintptr_t value = 0;
    switch (encoding & FORMAT) {
    case 0x00: case 0x04: case 0x0c: value = read_fixed(bytes, 8); break;
    case 0x01: value = read_uleb(bytes); break;
    case 0x09: value = (uintptr_t)read_sleb(bytes); break;
    case 0x02: value = read_fixed(bytes, 2); break;
    case 0x0a: value = (uintptr_t)(int64_t)(int16_t)read_fixed(bytes, 2); break;
    case 0x03: value = read_fixed(bytes, 4); break;
    case 0x0b: value = (uintptr_t)(int64_t)(int32_t)read_fixed(bytes, 4); break;
    default: bytes->bad = true;
    }
    switch (encoding & BASE) {
    case 0: case ALIGNED: return value;
    case FROM_HERE: return value + here;
    case FROM_DATA: return value + data;
    default: bytes->bad = true; return 0;
    }
}

static inline struct bytes read_block(struct bytes *bytes)
{
    uint64_t size = read_uleb(bytes);
    struct bytes block = {bytes->at, bytes->at, false};
    skip(bytes, size);
    block.end = bytes->at;
    return block;
}

#endif
