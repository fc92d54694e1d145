/* SPDX-License-Identifier: MIT
 *
 * livemap.c: the regions of the shadow tables, and the side table for what does not fit there.
 *
 * The side table is an open hash of (address, cell, size) in 64 parts, each with a lock and an array of its own. It serves
 * other allocators (8-byte alignment, coarse size classes) and very large blocks; glibc's small blocks never get here.
 */
#include "livemap.h"

#include "lock.h"
#include "os.h"
#include "recorder.h"
#include "recorder_internal.h"
#include "thread.h"
#include "trace.h"

#include <sys/auxv.h>
#include <sys/syscall.h>

enum {
    PARTS = 64,
    FIRST_PART_ENTRIES = 128,          /* within a page */
    REGIONS_WITH_SMALL_PAGES = 4,      /* main heap, mappings, an arena or two */
    KEPT_PAGES = 64                    /* of the table of regions, once it is compact: most that are kept */
};
static const size_t REGIONS_SIZE = LIVEMAP_REGIONS * sizeof(uint32_t *);
static const size_t REGION_SIZE = 2 * LIVEMAP_REGION_ENTRIES * sizeof(uint32_t);

struct aside {
    uintptr_t address;     /* 0 empty */
    uint64_t size;
    uint32_t cell;
    uint32_t reserved;
};

struct part {
    struct recorder_lock lock;
    uint32_t count;
    uint32_t capacity;     /* a power of two */
    struct aside *entries;
    uint64_t padding[5];   /* a cache line a part */
};

uint32_t **livemap_regions;
static struct part *parts;
/* No regions any more: all blocks are in the side table. */
static bool is_compact;
/* Entries in all parts: lets a free of a foreign pointer pass without a lock while there are none. */
static uint64_t aside_count;

bool livemap_start(void)
{
    livemap_regions = os_keep_from_children(os_map(REGIONS_SIZE), REGIONS_SIZE);
    parts = os_keep_from_children(os_map(PARTS * sizeof *parts), PARTS * sizeof *parts);
    aside_count = 0;
    is_compact = false;
    return livemap_regions && parts;
}

static uint32_t *region_of(uintptr_t address)
{
    uint32_t **slot = &livemap_regions[address >> LIVEMAP_REGION_BITS];
    uint32_t *region = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (region || is_compact)
        return region;
    size_t half = REGION_SIZE / 2, size = REGION_SIZE;
    /* A large heap has its later regions nearly full: there huge pages cost no memory and save most page faults. */
    static uint32_t region_count;
    bool large = __atomic_fetch_add(&region_count, 1, __ATOMIC_RELAXED) >= REGIONS_WITH_SMALL_PAGES;
    uint32_t *fresh = large ? os_map_aligned(size) : os_map(size);
    if (!fresh)
        return NULL;
    os_keep_from_children(fresh, size);
    if (large)
        os_prefer_huge(fresh, half);
    /* Release: its zeroes are there before the region is. */
    if (__atomic_compare_exchange_n(slot, &region, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return fresh;
    os_unmap(fresh, size);
    return region;
}

static uint64_t address_hash(uintptr_t address) { return address * 0x9E3779B97F4A7C15ull; }
static struct part *part_of(uintptr_t address) { return &parts[address_hash(address) >> 58]; }
static uint32_t first_slot(const struct part *part, uintptr_t address)
{
    return (uint32_t)(address_hash(address) >> 20) & (part->capacity - 1);
}

static void part_insert(struct part *part, struct aside entry)
{
    uint32_t i = first_slot(part, entry.address);
    while (part->entries[i].address != 0)
        i = (i + 1) & (part->capacity - 1);
    part->entries[i] = entry;
    part->count++;
}

static bool part_grow(struct part *part)
{
    uint32_t old_capacity = part->capacity;
    struct aside *old = part->entries;
    uint32_t capacity = old_capacity ? 2 * old_capacity : FIRST_PART_ENTRIES;
    struct aside *entries = os_keep_from_children(os_map(capacity * sizeof *entries), capacity * sizeof *entries);
    if (!entries)
        return false;
    part->entries = entries;
    part->capacity = capacity;
    part->count = 0;
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].address != 0)
            part_insert(part, old[i]);
    if (old)
        os_unmap(old, old_capacity * sizeof *old);
    return true;
}

/* Closes the gap at `hole`: moves back each following entry that would not be found past an empty slot. */
static void part_close(struct part *part, uint32_t hole)
{
    uint32_t mask = part->capacity - 1;
    part->entries[hole].address = 0;
    for (uint32_t i = (hole + 1) & mask; part->entries[i].address != 0; i = (i + 1) & mask) {
        uint32_t home = first_slot(part, part->entries[i].address);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            part->entries[hole] = part->entries[i];
            part->entries[i].address = 0;
            hole = i;
        }
    }
    part->count--;
}

void livemap_reserve(void)
{
    /* The heap goes on where it ends now; elsewhere, the side table will have to do. */
    uintptr_t end = (uintptr_t)os_call(SYS_brk, 0, 0, 0, 0, 0, 0);
    for (uintptr_t at = end; at < end + 3 * ((uintptr_t)1 << LIVEMAP_REGION_BITS); at += (uintptr_t)1 << LIVEMAP_REGION_BITS)
        if (at >> LIVEMAP_ADDRESS_BITS == 0)
            region_of(at);
    for (struct part *part = parts; part < parts + PARTS; part++) {
        recorder_lock(&part->lock, thread_id());
        if (part->count + 1 > part->capacity / 4 * 3)
            part_grow(part);
        recorder_unlock(&part->lock);
    }
}

bool livemap_put_aside(void *block, uint32_t cell, size_t size, size_t usable, bool is_glibc)
{
    uintptr_t address = (uintptr_t)block;
    /* The usual reason to come here: the first block of a region. */
    if ((address & 15) == 0 && address >> LIVEMAP_ADDRESS_BITS == 0 && usable - size < LIVEMAP_SLACK_ASIDE &&
        !__atomic_load_n(&livemap_regions[address >> LIVEMAP_REGION_BITS], __ATOMIC_ACQUIRE) && region_of(address))
        return livemap_put(block, cell, size, usable, is_glibc);

    /* An entry that still stands here is of a block that was freed without our seeing it. */
    uint32_t slack;
    size_t stale_size = 0;
    uint32_t stale = livemap_take(block, &slack, &stale_size);
    if (stale) {
        recorder_count_freed(stale, slack == LIVEMAP_SLACK_ASIDE ? stale_size : usable - slack);
        return livemap_put(block, cell, size, usable, is_glibc);
    }

    struct part *part = part_of(address);
    bool done = true;
    recorder_lock(&part->lock, thread_id());
    if (part->count + 1 > part->capacity / 4 * 3)
        done = part_grow(part);
    if (done)
        part_insert(part, (struct aside){.address = address, .size = size, .cell = cell});
    recorder_unlock(&part->lock);
    if (done)
        __atomic_fetch_add(&aside_count, 1, __ATOMIC_RELAXED);
    return done;
}

/* Table pages that lie whole in the entries of [start, end). */
static void drop_pages(uint32_t *entries, uintptr_t start, uintptr_t end)
{
    os_give_back(&entries[start], (end - start) * sizeof *entries);
}

void livemap_give_back(void)
{
    /* Only the main heap: it is the one that shrinks in place, and the kernel tells where it ends. */
    static uintptr_t highest;
    uintptr_t end = (uintptr_t)os_call(SYS_brk, 0, 0, 0, 0, 0, 0);
    if (end >= highest) {
        highest = end;
        return;
    }
    for (uintptr_t at = end; at < highest;) {
        uintptr_t next = (at | (((uintptr_t)1 << LIVEMAP_REGION_BITS) - 1)) + 1;
        uintptr_t stop = next < highest ? next : highest;
        uint32_t *region = at >> LIVEMAP_ADDRESS_BITS == 0 ? livemap_regions[at >> LIVEMAP_REGION_BITS] : NULL;
        if (region) {
            uintptr_t first = at >> LIVEMAP_GRANULE_BITS & (LIVEMAP_REGION_ENTRIES - 1);
            uintptr_t count = (stop - at) >> LIVEMAP_GRANULE_BITS;
            drop_pages(region, first, first + count);
            drop_pages(region + LIVEMAP_REGION_ENTRIES, first, first + count);
        }
        at = next;
    }
    highest = end;
}

uint32_t livemap_take_aside(void *block, size_t *size)
{
    /* Relaxed is enough: the block's own entry was counted before its address could reach us. */
    if (__atomic_load_n(&aside_count, __ATOMIC_RELAXED) == 0)
        return 0;
    uintptr_t address = (uintptr_t)block;
    struct part *part = part_of(address);
    uint32_t cell = 0;
    recorder_lock(&part->lock, thread_id());
    if (part->capacity != 0) {
        uint32_t i = first_slot(part, address);
        while (part->entries[i].address != 0 && part->entries[i].address != address)
            i = (i + 1) & (part->capacity - 1);
        if (part->entries[i].address == address) {
            cell = part->entries[i].cell;
            *size = part->entries[i].size;
            part_close(part, i);
        }
    }
    recorder_unlock(&part->lock);
    if (cell)
        __atomic_fetch_sub(&aside_count, 1, __ATOMIC_RELAXED);
    return cell;
}

/* --- Compact ------------------------------------------------------------------------------------------------------ */

static void put_compact(uintptr_t address, uint32_t word)
{
    void *block = (void *)address;
    size_t size = recorder_usable_size(block) - (word & 31);
    struct part *part = part_of(address);
    if (part->count + 1 > part->capacity / 4 * 3 && !part_grow(part)) {
        recorder_count_freed(word >> 7, size);
        trace_count_loss(GM_LOSS_BLOCKS_MEMORY, 1);
        return;
    }
    part_insert(part, (struct aside){.address = address, .size = size, .cell = word >> 7});
    aside_count++;
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
