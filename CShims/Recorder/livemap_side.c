/* SPDX-License-Identifier: MIT
 *
 * livemap_side.c: livemap_side.h by linear probing; an entry that is taken out leaves no trace.
 */
#include "livemap_side.h"

#include "lock.h"
#include "os.h"
#include "thread.h"

enum {
    PARTS = 64,
    FIRST_PART_ENTRIES = 128           /* within a page */
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

static struct part *parts;
/* Entries in all parts: lets a free of a foreign pointer pass without a lock while there are none. */
static uint64_t aside_count;

bool side_start(void)
{
    parts = os_keep_from_children(os_map(PARTS * sizeof *parts), PARTS * sizeof *parts);
    aside_count = 0;
    return parts != NULL;
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

bool side_put(uintptr_t address, uint32_t cell, size_t size)
{
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

uint32_t side_take(uintptr_t address, size_t *size)
{
    /* Relaxed is enough: the block's own entry was counted before its address could reach us. */
    if (__atomic_load_n(&aside_count, __ATOMIC_RELAXED) == 0)
        return 0;
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

void side_reserve(void)
{
    for (struct part *part = parts; part < parts + PARTS; part++) {
        recorder_lock(&part->lock, thread_id());
        if (part->count + 1 > part->capacity / 4 * 3)
            part_grow(part);
        recorder_unlock(&part->lock);
    }
}
