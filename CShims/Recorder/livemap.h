/* SPDX-License-Identifier: MIT
 *
 * livemap.h: from the address of a live block to its cell and requested size. No lock and no hash on the usual way.
 *
 * Two shadow tables, A and B, hold a 4-byte entry for every 64 bytes of address space, in regions mapped when they are
 * first met. glibc's blocks begin on multiples of 16 and lie at least 32 bytes apart, so at most two begin in the same
 * 64 bytes. The last one of them, whose chunk reaches to the end of the 64 bytes or past it, belongs in A; one before it, which
 * is small, in B. So each place has one block that can claim it, and needs no locked instruction.
 *
 * A heap with a few small blocks everywhere would touch all of B for their sake: so B is open only in those pieces of 64 KiB
 * of heap, a page of B, where so many were met that it pays. Before that they go to the side table. A heap costs 6 % for most
 * sizes, up to 2 % more where a few blocks are small, and 12.5 % where most are.
 *
 * Other allocators may put more blocks into 64 bytes: there a block takes the first of the two places that is free, with a
 * compare-and-swap.
 *
 *     entry   25 bits cell, 2 bits which 16 of the 64 bytes, 5 bits slack; 0 none
 *
 * slack is how much larger the block is than what was asked for: the allocator knows the one, we want the other. What does not
 * fit (not on 16 bytes, slack over 30, no place free, addresses past 47 bits) goes to the side table (livemap_side.h).
 *
 * Who owns a block owns its entry: it is put right after the block was given out and taken right before it is given
 * back. Pages of A and B in which nothing is any more are given back to the system now and then (livemap_sweep.c).
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
    LIVEMAP_PIECE_BITS = 10,                       /* granules: a page of each table */
    LIVEMAP_PIECES = LIVEMAP_REGION_ENTRIES >> LIVEMAP_PIECE_BITS,
    LIVEMAP_PIECE_OPEN = 128,                      /* of a piece: B is in use there. Below: small blocks met so far */
    LIVEMAP_CELL_LIMIT = 1 << 25,
    LIVEMAP_SLACK_ASIDE = 31                       /* the size is in the side table */
};

/* Looks at a part of the tables, a further one each time, and gives pages back to the system in which nothing is any more. Any
 * thread may call it at any time; others may be at work. */
GM_COLD void livemap_sweep(void);

/* regions[address >> 26]: A's entries, B's, then a byte for each piece; NULL where no block was seen. */
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
GM_COLD uint32_t livemap_take_aside(void *block, uint32_t *slack, size_t *size);

/* The region of an address. NULL: none yet, or no place for it. */
GM_INLINE uint32_t *livemap_region(uintptr_t address)
{
    if (GM_UNLIKELY((address & (~0ull << LIVEMAP_ADDRESS_BITS | 15)) != 0))
        return NULL;
    /* Acquire pairs with the release that published the region. */
    return __atomic_load_n(&livemap_regions[address >> LIVEMAP_REGION_BITS], __ATOMIC_ACQUIRE);
}

GM_INLINE uintptr_t livemap_granule(uintptr_t address) { return address >> LIVEMAP_GRANULE_BITS & (LIVEMAP_REGION_ENTRIES - 1); }

GM_INLINE uint8_t *livemap_piece(uint32_t *region, uintptr_t granule)
{
    return (uint8_t *)(region + 2 * LIVEMAP_REGION_ENTRIES) + (granule >> LIVEMAP_PIECE_BITS);
}

/* A piece that was opened stays so. Relaxed: whoever frees a block that was put into B saw or heard of the opening. */
GM_INLINE bool livemap_is_open(uint32_t *region, uintptr_t granule)
{
    return (__atomic_load_n(livemap_piece(region, granule), __ATOMIC_RELAXED) & LIVEMAP_PIECE_OPEN) != 0;
}

/* Enters a block, of whose address `region` is the region. `usable` is its size as the allocator sees it; `is_glibc`: the block is one
 * of glibc's chunks. False when there is no memory left to remember it: the caller then takes its count back. */
GM_INLINE bool livemap_put_in(uint32_t *region, void *block, uint32_t cell, size_t size, size_t usable, bool is_glibc)
{
    uintptr_t address = (uintptr_t)block, granule = livemap_granule(address);
    size_t slack = usable - size;
    if (GM_LIKELY(region != NULL && slack < LIVEMAP_SLACK_ASIDE)) {
        uint32_t word = livemap_word(address, cell, (uint32_t)slack), *place = region + granule;
        if (GM_LIKELY(is_glibc)) {
            /* The chunk ends 8 bytes before the block's usable end: its size word lies before the block. */
            bool last = (address & 63) + usable + sizeof(size_t) >= 64;
            if (last || livemap_is_open(region, granule)) {
                place += last ? 0 : LIVEMAP_REGION_ENTRIES;
                /* Relaxed: whoever frees the block got its address from us, by way of the program's own ordering. */
                if (GM_LIKELY(__atomic_load_n(place, __ATOMIC_RELAXED) == 0)) {
                    __atomic_store_n(place, word, __ATOMIC_RELAXED);
                    return true;
                }
            }
        } else {
            int tables = livemap_is_open(region, granule) ? 2 : 1;
            for (int table = 0; table < tables; table++, place += LIVEMAP_REGION_ENTRIES) {
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

GM_INLINE bool livemap_put(void *block, uint32_t cell, size_t size, size_t usable, bool is_glibc)
{
    return livemap_put_in(livemap_region((uintptr_t)block), block, cell, size, usable, is_glibc);
}

/* As livemap_take, but only from the shadow tables: the entry; 0 when it is not there. */
GM_INLINE uint32_t livemap_take_shadow(uintptr_t address)
{
    uint32_t *region = livemap_region(address);
    if (GM_UNLIKELY(region == NULL))
        return 0;
    uintptr_t granule = livemap_granule(address);
    uint32_t which = (uint32_t)(address >> 4 & 3) << 5, *place = region + granule;
    uint32_t word = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (GM_UNLIKELY(word == 0 || (word & 3 << 5) != which)) {
        if (!livemap_is_open(region, granule))
            return 0;
        place += LIVEMAP_REGION_ENTRIES;
        word = __atomic_load_n(place, __ATOMIC_RELAXED);
        if (GM_UNLIKELY(word == 0 || (word & 3 << 5) != which))
            return 0;
    }
    __atomic_store_n(place, 0, __ATOMIC_RELAXED);
    return word;
}

GM_INLINE uint32_t livemap_word_cell(uint32_t word) { return word >> 7; }
GM_INLINE uint32_t livemap_word_slack(uint32_t word) { return word & 31; }

/* Takes a block out: its cell, or 0 when it was never entered. `slack` is LIVEMAP_SLACK_ASIDE when *size was set, else
 * the size is the usable size less slack. */
GM_INLINE uint32_t livemap_take(void *block, uint32_t *slack, size_t *size)
{
    uint32_t word = livemap_take_shadow((uintptr_t)block);
    if (GM_UNLIKELY(word == 0))
        return livemap_take_aside(block, slack, size);
    *slack = livemap_word_slack(word);
    return livemap_word_cell(word);
}

#endif
