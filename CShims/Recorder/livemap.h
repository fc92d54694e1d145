/* SPDX-License-Identifier: MIT
 *
 * livemap.h: from the address of a live block to its cell and requested size. No lock and no hash on the usual way.
 *
 * Two shadow tables, A and B, hold a 4-byte entry for every 64 bytes of address space, in regions mapped when they are
 * first met. glibc's blocks begin on multiples of 16 and lie at least 32 bytes apart, so at most two begin in the same
 * 64 bytes. The last one of them, whose chunk reaches to the end of the 64 bytes or past it, belongs in A; one before it, which
 * is small, in B. So each place has one block that can claim it, and needs no locked instruction. B is touched only
 * where blocks are that small: a heap costs 6 % for most sizes and 12.5 % at the worst.
 *
 * Other allocators may put more blocks into 64 bytes: there a block takes the first of the two places that is free, with a
 * compare-and-swap.
 *
 *     entry   25 bits cell, 2 bits which 16 of the 64 bytes, 5 bits slack; 0 none
 *
 * slack is how much larger the block is than what was asked for: the allocator knows the one, we want the other. What does not
 * fit (not on 16 bytes, slack over 30, no place free, addresses past 47 bits) goes to a side table with a lock.
 *
 * Who owns a block owns its entry: it is put right after the block was given out and taken right before it is given
 * back.
 */
#ifndef GENMARK_LIVEMAP_H
#define GENMARK_LIVEMAP_H

#include "compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LIVEMAP_REGION_BITS = 26,                      /* 64 MiB of heap: 4 MiB of A and of B */
    LIVEMAP_ADDRESS_BITS = 47,
    LIVEMAP_GRANULE_BITS = 6,
    LIVEMAP_REGIONS = 1 << (LIVEMAP_ADDRESS_BITS - LIVEMAP_REGION_BITS),
    LIVEMAP_REGION_ENTRIES = 1 << (LIVEMAP_REGION_BITS - LIVEMAP_GRANULE_BITS),
    LIVEMAP_CELL_LIMIT = 1 << 25,
    LIVEMAP_SLACK_ASIDE = 31                       /* the size is in the side table */
};

/* Gives pages of the tables back to the system where the heap has shrunk. `alone` must hold: a block that another thread
 * enters meanwhile would be lost. */
GM_COLD void livemap_give_back(void);

/* regions[address >> 26]: A's entries, followed by B's; NULL where no block was seen. */
extern uint32_t **livemap_regions GM_HIDDEN;

bool livemap_start(void);
/* Maps what the next blocks will need, for a process that may not map anything any more. */
GM_COLD void livemap_reserve(void);
/* For a process that has little address space: gives back the shadow tables for good, and puts all blocks into the side table. 16 MiB
 * and 8 for each region become 24 bytes a block. No other thread may run. */
GM_COLD void livemap_compact(void);

GM_INLINE uint32_t livemap_word(uintptr_t address, uint32_t cell, uint32_t slack)
{
    return cell << 7 | (uint32_t)(address >> 4 & 3) << 5 | slack;
}

/* Side ways of the two functions below. */
GM_COLD bool livemap_put_aside(void *block, uint32_t cell, size_t size, size_t usable, bool is_glibc);
GM_COLD uint32_t livemap_take_aside(void *block, size_t *size);

/* The entry of an address in A; that in B is LIVEMAP_REGION_ENTRIES further on. NULL: no region yet, or no place for it. */
GM_INLINE uint32_t *livemap_place(uintptr_t address)
{
    if (GM_UNLIKELY((address & (~0ull << LIVEMAP_ADDRESS_BITS | 15)) != 0))
        return NULL;
    /* Acquire pairs with the release that published the region. */
    uint32_t *region = __atomic_load_n(&livemap_regions[address >> LIVEMAP_REGION_BITS], __ATOMIC_ACQUIRE);
    return GM_LIKELY(region != NULL) ? &region[address >> LIVEMAP_GRANULE_BITS & (LIVEMAP_REGION_ENTRIES - 1)] : NULL;
}

/* Enters a block. `usable` is its size as the allocator sees it; `is_glibc`: the block is one of glibc's chunks. False when
 * there is no memory left to remember it: the caller then takes its count back. */
GM_INLINE bool livemap_put(void *block, uint32_t cell, size_t size, size_t usable, bool is_glibc)
{
    uintptr_t address = (uintptr_t)block;
    size_t slack = usable - size;
    uint32_t *place = livemap_place(address);
    if (GM_LIKELY(place != NULL && slack < LIVEMAP_SLACK_ASIDE)) {
        uint32_t word = livemap_word(address, cell, (uint32_t)slack);
        if (GM_LIKELY(is_glibc)) {
            /* The chunk ends 8 bytes before the block's usable end: its size word lies before the block. */
            bool last = (address & 63) + usable + sizeof(size_t) >= 64;
            place += last ? 0 : LIVEMAP_REGION_ENTRIES;
            /* Relaxed: whoever frees the block got its address from us, by way of the program's own ordering. */
            if (GM_LIKELY(__atomic_load_n(place, __ATOMIC_RELAXED) == 0)) {
                __atomic_store_n(place, word, __ATOMIC_RELAXED);
                return true;
            }
        } else {
            for (int table = 0; table < 2; table++, place += LIVEMAP_REGION_ENTRIES) {
                uint32_t found = __atomic_load_n(place, __ATOMIC_RELAXED);
                if (found == 0 && __atomic_compare_exchange_n(place, &found, word, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
                    return true;
                if (GM_UNLIKELY(((found ^ word) & 3 << 5) == 0))
                    break;          /* this very address: its block was freed behind our back */
            }
        }
    }
    return livemap_put_aside(block, cell, size, usable, is_glibc);
}

/* Takes a block out: its cell, or 0 when it was never entered. `slack` is LIVEMAP_SLACK_ASIDE when *size was set, else
 * the size is the usable size less slack. */
GM_INLINE uint32_t livemap_take(void *block, uint32_t *slack, size_t *size)
{
    uintptr_t address = (uintptr_t)block;
    uint32_t *place = livemap_place(address);
    if (GM_LIKELY(place != NULL)) {
        uint32_t which = (uint32_t)(address >> 4 & 3) << 5;
        for (int table = 0; table < 2; table++, place += LIVEMAP_REGION_ENTRIES) {
            uint32_t word = __atomic_load_n(place, __ATOMIC_RELAXED);
            if (word != 0 && (word & 3 << 5) == which) {
                __atomic_store_n(place, 0, __ATOMIC_RELAXED);
                *slack = word & 31;
                return word >> 7;
            }
        }
    }
    *slack = LIVEMAP_SLACK_ASIDE;
    return livemap_take_aside(block, size);
}

#endif
