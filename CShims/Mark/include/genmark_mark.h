/* SPDX-License-Identifier: MIT
 *
 * genmark_mark.h: taking marks and finding room in a trace, on any mapping of it: inside the program by the
 * recorder, outside by `genmark mark`. The format is in genmark_trace.h.
 *
 * The lock word in the header guards all of this across processes. Its holder may be killed at any moment:
 * every step leaves a trace that reads, and the next marker mends what was begun. No allocation, no libc.
 */
#ifndef GENMARK_MARK_H
#define GENMARK_MARK_H

#include "genmark_trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mapping of a whole trace, readable and writable. */
struct gm_file {
    uint8_t *base;
    uint64_t size;                 /* bytes mapped = bytes of the file */
};

/* The process as it was when marked; 0 where not known. */
struct gm_sample {
    uint64_t time_ns;              /* since header.start_monotonic_ns */
    uint64_t rss_bytes;
    uint64_t held_bytes;
    uint32_t threads;
    uint32_t flags;                /* GM_MARK_… */
};

/* Takes a mark. Returns the number of the generation that begins, or 0 when the trace's limit leaves no room or
 * the trace is not sound (counted as a loss in it). `tid` is the caller's thread id. */
uint32_t gm_mark_take(struct gm_file *file, const char *label, size_t length, const struct gm_sample *sample, uint32_t tid);

/* Lock word of the header. `gm_try_lock` fails at once when another holds it. */
void gm_lock(struct gm_file *file, uint32_t tid);
bool gm_try_lock(struct gm_file *file, uint32_t tid);
void gm_unlock(struct gm_file *file);

/* Room for a new extent, zeroed, its header filled and published; NULL at the limit or on a full disk. Under the lock. */
struct gm_extent *gm_extent_add(struct gm_file *file, uint32_t kind, uint64_t first, uint32_t capacity,
                                uint32_t element_size, uint64_t payload, uint32_t shard);
/* Writes text into STRINGS; {0} when there is no room. Under the lock. */
struct gm_string gm_string_add(struct gm_file *file, const char *text, size_t length);

/* True when every page of the range can be written without a signal: false on a full disk or past a limit. The
 * range must be new: bytes of it may be zeroed. */
bool gm_populate(void *start, size_t size);

/* Writes the first header and bank of a new trace into zeroed memory; magic is stored last, by the caller. False when even
 * that does not fit. */
bool gm_trace_begin(struct gm_file *file, uint32_t tid);

#endif
