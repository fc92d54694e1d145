/* SPDX-License-Identifier: MIT
 *
 * livemap.c: the regions of the shadow tables: made, opened piece by piece for small blocks, and given up in processes that have
 * little room. Giving back pages is livemap_sweep.c, the table for what does not fit livemap_side.c.
 */
#include "livemap.h"

#include "livemap_internal.h"
#include "livemap_side.h"
#include "os.h"
#include "recorder.h"
#include "recorder_internal.h"
#include "trace.h"

#include <sys/auxv.h>
#include <sys/syscall.h>

enum {
    REGIONS_WITH_SMALL_PAGES = 4,      /* main heap, mappings, an arena or two */
    FULL_PAGES = 768,                  /* of the 1024 of a region's A: then huge pages cost little more */
    /* Pieces in which B is used from the first small block on: small programs have no others. */
    PIECES_OPEN_AT_ONCE = 64,
    /* In others: so many entries of the side table are as dear as half a page. A heap that is being filled from below tells sooner:
     * when a few lie so close together that there will be more than that. */
    SMALL_BEFORE_OPEN = 32,
    SMALL_THAT_TELL = 4,
    GRANULES_FOR_EACH = 16,
    KEPT_PAGES = 64                    /* of the table of regions, once it is compact: most that are kept */
};
static const size_t REGIONS_SIZE = LIVEMAP_REGIONS * sizeof(uint32_t *);
static const size_t REGION_SIZE = 2 * LIVEMAP_REGION_ENTRIES * sizeof(uint32_t) + OS_PAGE;

uint32_t **livemap_regions;
uint32_t *livemap_region_list;
uint32_t livemap_region_count;
static uint32_t open_pieces;
/* No regions any more: all blocks are in the side table. */
static bool is_compact;

bool livemap_start(void)
{
    livemap_regions = os_keep_from_children(os_map(REGIONS_SIZE), REGIONS_SIZE);
    size_t list_size = LIVEMAP_LIST_LIMIT * sizeof *livemap_region_list;
    livemap_region_list = os_keep_from_children(os_map(list_size), list_size);
    livemap_region_count = open_pieces = 0;
    is_compact = false;
    livemap_sweep_start();
    return livemap_regions && livemap_region_list && side_start();
}

/* Whether a region's A is used nearly everywhere. */
static bool is_full(uintptr_t number)
{
    uint32_t *region = number < LIVEMAP_REGIONS ? __atomic_load_n(&livemap_regions[number], __ATOMIC_ACQUIRE) : NULL;
    uint8_t resident[LIVEMAP_PIECES];
    if (!region || !os_resident(region, LIVEMAP_PIECES * OS_PAGE, resident))
        return false;
    unsigned count = 0;
    for (unsigned i = 0; i < LIVEMAP_PIECES; i++)
        count += resident[i] & 1;
    return count >= FULL_PAGES;
}

static uint32_t *region_of(uintptr_t address)
{
    uintptr_t number = address >> LIVEMAP_REGION_BITS;
    uint32_t **slot = &livemap_regions[number];
    uint32_t *region = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (region || is_compact)
        return region;
    /* A large heap has its later regions nearly full: there huge pages cost no memory and save most page faults. A heap grows
     * upwards, mappings downwards. */
    bool large = __atomic_load_n(&livemap_region_count, __ATOMIC_RELAXED) >= REGIONS_WITH_SMALL_PAGES &&
                 (is_full(number - 1) || is_full(number + 1));
    uint32_t *fresh = large ? os_map_aligned(REGION_SIZE) : os_map(REGION_SIZE);
    if (!fresh)
        return NULL;
    os_keep_from_children(fresh, REGION_SIZE);
    if (large)
        os_prefer_huge(fresh, LIVEMAP_REGION_ENTRIES * sizeof *fresh);
    /* Release: its zeroes are there before the region is. */
    if (!__atomic_compare_exchange_n(slot, &region, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        os_unmap(fresh, REGION_SIZE);
        return region;
    }
    uint32_t place = __atomic_fetch_add(&livemap_region_count, 1, __ATOMIC_RELAXED);
    if (place < LIVEMAP_LIST_LIMIT)
        __atomic_store_n(&livemap_region_list[place], (uint32_t)number + 1, __ATOMIC_RELEASE);
    return fresh;
}

/* Counts a block that A has no place for, in a piece in which B is not in use. True when that has opened the piece, which it does in
 * any case when it `must`. */
static bool open_piece(uint32_t *region, uintptr_t granule, bool must)
{
    /* Two threads that count at once may count one block: no matter. */
    uint8_t *piece = livemap_piece(region, granule), seen = __atomic_load_n(piece, __ATOMIC_RELAXED);
    if (seen & LIVEMAP_PIECE_OPEN)
        return false;
    unsigned count = seen + 1u, offset = (unsigned)granule & ((1 << LIVEMAP_PIECE_BITS) - 1);
    bool opens = must || count >= SMALL_BEFORE_OPEN || (count >= SMALL_THAT_TELL && offset < count * GRANULES_FOR_EACH) ||
                 __atomic_load_n(&open_pieces, __ATOMIC_RELAXED) < PIECES_OPEN_AT_ONCE;
    if (opens)
        __atomic_fetch_add(&open_pieces, 1, __ATOMIC_RELAXED);
    __atomic_store_n(piece, opens ? LIVEMAP_PIECE_OPEN : (uint8_t)count, __ATOMIC_RELAXED);
    return opens;
}

void livemap_reserve(void)
{
    /* The heap goes on where it ends now; elsewhere, the side table will have to do. */
    uintptr_t end = (uintptr_t)os_call(SYS_brk, 0, 0, 0, 0, 0, 0);
    for (uintptr_t at = end; at < end + 3 * ((uintptr_t)1 << LIVEMAP_REGION_BITS); at += (uintptr_t)1 << LIVEMAP_REGION_BITS)
        if (at >> LIVEMAP_ADDRESS_BITS == 0)
            region_of(at);
    side_reserve();
}

bool livemap_put_aside(void *block, uint32_t cell, size_t size, size_t usable, bool is_glibc)
{
    uintptr_t address = (uintptr_t)block, granule = livemap_granule(address);
    bool has_place = (address & 15) == 0 && address >> LIVEMAP_ADDRESS_BITS == 0 && usable - size < LIVEMAP_SLACK_ASIDE;
    uint32_t *region = has_place ? livemap_region(address) : NULL;
    /* The usual reasons to come here: the first block of a region, the first small ones of a piece. */
    if (has_place && (region ? open_piece(region, granule, false) : region_of(address) != NULL))
        return livemap_put(block, cell, size, usable, is_glibc);

    /* An entry that still stands here is of a block that was freed without our seeing it, or that was put back by a sweep
     * in the very moment of its end, and then is counted already. */
    uint32_t slack;
    size_t stale_size = 0;
    uint32_t stale = livemap_take(block, &slack, &stale_size);
    if (stale) {
        if (!livemap_was_put_back(address))
            recorder_count_freed(stale, slack == LIVEMAP_SLACK_ASIDE ? stale_size : usable - slack);
        return livemap_put(block, cell, size, usable, is_glibc);
    }
    if (side_put(address, cell, size))
        return true;
    /* No memory: a page of B may still be had where a part of the side table is not. */
    return region && open_piece(region, granule, true) && livemap_put(block, cell, size, usable, is_glibc);
}

uint32_t livemap_take_aside(void *block, uint32_t *slack, size_t *size)
{
    uint32_t cell = livemap_take_moved((uintptr_t)block, slack);
    if (cell)
        return cell;
    *slack = LIVEMAP_SLACK_ASIDE;
    return side_take((uintptr_t)block, size);
}

/* --- Compact ------------------------------------------------------------------------------------------------------ */

static void put_compact(uintptr_t address, uint32_t word)
{
    void *block = (void *)address;
    size_t size = recorder_usable_size(block) - (word & 31);
    if (!side_put(address, word >> 7, size)) {
        recorder_count_freed(word >> 7, size);
        trace_count_loss(GM_LOSS_BLOCKS_MEMORY, 1);
    }
}

static void close_region(uintptr_t number)
{
    uint32_t *region = livemap_regions[number];
    for (uintptr_t i = 0; i < 2 * LIVEMAP_REGION_ENTRIES; i++) {
        uintptr_t granule = number << (LIVEMAP_REGION_BITS - LIVEMAP_GRANULE_BITS) | (i & (LIVEMAP_REGION_ENTRIES - 1));
        if (region[i] != 0)
            put_compact(granule << LIVEMAP_GRANULE_BITS | (uintptr_t)(region[i] >> 5 & 3) << 4, region[i]);
    }
    livemap_regions[number] = NULL;
    os_unmap(region, REGION_SIZE);
}

/* Adds the pages of the table that are looked into for blocks around an address: 32 GiB of address space each. */
static unsigned keep_around(uintptr_t address, uintptr_t *kept, unsigned count)
{
    uintptr_t page = (address >> LIVEMAP_REGION_BITS) * sizeof *livemap_regions / 4096, last = REGIONS_SIZE / 4096 - 1;
    for (uintptr_t at = page > 0 ? page - 1 : 0; at <= page + 1 && at <= last && count < KEPT_PAGES; at++) {
        unsigned i = 0;
        while (i < count && kept[i] < at)
            i++;
        if (i < count && kept[i] == at)
            continue;
        for (unsigned j = count++; j > i; j--)
            kept[j] = kept[j - 1];
        kept[i] = at;
    }
    return count;
}

void livemap_compact(void)
{
    if (is_compact || !livemap_regions)
        return;
    is_compact = true;
    for (uintptr_t number = 0; number < LIVEMAP_REGIONS; number++)
        if (livemap_regions[number])
            close_region(number);
    livemap_region_count = 0;
    /* What is freed lies near what there is: the program, the heap, mappings, the stack. */
    uintptr_t kept[KEPT_PAGES];
    unsigned count = keep_around(0, kept, 0);
    const uintptr_t places[] = {getauxval(AT_PHDR), (uintptr_t)os_call(SYS_brk, 0, 0, 0, 0, 0, 0), (uintptr_t)livemap_regions,
                                (uintptr_t)&is_compact, (uintptr_t)__builtin_frame_address(0), getauxval(AT_SYSINFO_EHDR)};
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
        if (places[i] >> LIVEMAP_ADDRESS_BITS == 0)
            count = keep_around(places[i], kept, count);
    uintptr_t from = 0;
    for (unsigned i = 0; i <= count; i++) {
        uintptr_t to = i < count ? kept[i] : REGIONS_SIZE / 4096;
        if (to > from)
            os_unmap((uint8_t *)livemap_regions + from * 4096, (to - from) * 4096);
        from = to + 1;
    }
}
