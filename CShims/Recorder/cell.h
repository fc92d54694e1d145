/* SPDX-License-Identifier: MIT
 *
 * cell.h: which cell a call site counts into now, and counting. What a cell is: genmark_trace.h.
 */
#ifndef GENMARK_CELL_H
#define GENMARK_CELL_H

#include "compiler.h"
#include "genmark_trace.h"
#include "genmark_trace_access.h"
#include "thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By node: (birth + 1) << 32 | cell, 0 none; relaxed, since the cell's record is read by nobody on the hot path. */
extern uint64_t *cell_current GM_HIDDEN;

bool cell_start(void);
/* After the trace, of `file_size` bytes before, was made smaller. */
void cell_shrink(uint64_t file_size);
void cell_reset(void);

/* Finds or makes the cell of a site for a birth. 0 at the memory limit. */
GM_COLD uint32_t cell_find(uint32_t site, uint32_t birth);

GM_INLINE uint32_t cell_of(uint32_t site, uint32_t birth)
{
    uint64_t current = gm_load_u64(&cell_current[site]);
    return GM_LIKELY(current >> 32 == (uint64_t)birth + 1) ? (uint32_t)current : cell_find(site, birth);
}

/* Blocks and bytes that are added together. */
typedef uint64_t cell_pair __attribute__((vector_size(16)));
enum cell_side { CELL_BORN, CELL_FREED };

/* Blocks and bytes of one side of a cell, in the counters of its extent. */
GM_INLINE uint64_t *cell_counts(uint8_t *counters, uint32_t index, enum cell_side side)
{
    return (uint64_t *)(counters + GM_CELLS_PER_EXTENT / GM_CELLS_PER_DIRTY_BYTE + index * sizeof(struct gm_counter) +
                        (side == CELL_BORN ? 0 : 16));
}

/* The same for all cases: makes the part, or adds with locked instructions. False when there is no room for the part. */
GM_COLD bool cell_add_slowly(struct recorder_thread *thread, uint32_t cell, enum cell_side side, uint64_t blocks, uint64_t bytes);

/* Adds to this thread's part of a cell. False when there is no room for the part.
 *
 * Single writer: the owner of the shard. So a plain 16-byte load and store do, and a kill falls before or after both counts.
 * The dirty byte is stored after them (release): see gather_dirty in ../Mark/mark.c, its partner. */
GM_INLINE bool cell_add(struct recorder_thread *thread, uint32_t cell, enum cell_side side, uint64_t blocks, uint64_t bytes)
{
    uint32_t extent = cell / GM_CELLS_PER_EXTENT, index = cell % GM_CELLS_PER_EXTENT;
    uint8_t *counters = thread->counters[extent];
    if (GM_UNLIKELY(!counters || thread->shares_shard))
        return cell_add_slowly(thread, cell, side, blocks, bytes);
    uint64_t *pair = cell_counts(counters, index, side);
#if defined(__SANITIZE_THREAD__) || defined(GENMARK_TSAN)
    gm_store_u64(pair, gm_load_u64(pair) + blocks);
    gm_store_u64(pair + 1, gm_load_u64(pair + 1) + bytes);
#else
    *(cell_pair *)pair += (cell_pair){blocks, bytes};
#endif
    __atomic_store_n(&counters[index / GM_CELLS_PER_DIRTY_BYTE], 1, __ATOMIC_RELEASE);
    return true;
}

#endif
