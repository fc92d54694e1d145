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
#include "recorder_internal.h"
#include "thread.h"

#include <sys/syscall.h>

enum {
    PARTS = 64,
    FIRST_PART_ENTRIES = 256,
    REGIONS_WITH_SMALL_PAGES = 4       /* main heap, mappings, an arena or two */
};

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
/* Entries in all parts: lets a free of a foreign pointer pass without a lock while there are none. */
static uint64_t aside_count;

bool livemap_start(void)
{
    livemap_regions = os_map_wiped_on_fork(LIVEMAP_REGIONS * sizeof *livemap_regions);
    parts = os_map_wiped_on_fork(PARTS * sizeof *parts);
    aside_count = 0;
    return livemap_regions && parts;
}

/* The kernel has wiped both tables in the child: every region and part is met anew. Old regions stay mapped there, unused. */
void livemap_reset(void) { aside_count = 0; }

static uint32_t *region_of(uintptr_t address)
{
    uint32_t **slot = &livemap_regions[address >> LIVEMAP_REGION_BITS];
    uint32_t *region = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (region)
        return region;
    size_t half = LIVEMAP_REGION_ENTRIES * sizeof(uint32_t), size = 2 * half;
    /* A large heap has its later regions nearly full: there huge pages cost no memory and save most page faults. */
    static uint32_t region_count;
    bool large = __atomic_fetch_add(&region_count, 1, __ATOMIC_RELAXED) >= REGIONS_WITH_SMALL_PAGES;
    uint32_t *fresh = large ? os_map_aligned(size) : os_map(size);
    if (!fresh)
        return NULL;
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
    struct aside *entries = os_map(capacity * sizeof *entries);
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
