/* SPDX-License-Identifier: MIT
 *
 * livemap_sweep.c: gives pages of the shadow tables back when nothing is in them any more, while other threads put and take
 * entries without a lock.
 *
 * A run of pages that was seen empty is moved to another address (mremap with MREMAP_DONTUNMAP, one step for the
 * kernel): any store of another thread is either in what was moved or in the fresh zero page that has taken its place. What was put
 * in between seeing and moving is put back from there; then the moved pages are unmapped. Who finds no entry meanwhile, and
 * for that reason only, waits until the move is done and looks again (livemap_take_moved): that is off the hot path, since what
 * is freed has an entry.
 *
 * One thing is left: a thread that has read its block's entry in the old page, and clears it in the fresh one before we put it
 * back. The block is counted as freed, and its entry stands. So addresses that were put back are remembered: who finds an
 * entry of a new block's address among them knows that it means nothing.
 *
 * Only with glibc's own blocks, whose places have one claimant: there is always room to put back.
 */
#include "livemap.h"

#include "livemap_internal.h"
#include "lock.h"
#include "os.h"
#include "recorder.h"
#include "recorder_internal.h"
#include "thread.h"

enum {
    /* Runs of so many pages (of 64 KiB of heap each): a heap that breathes a little is left alone. */
    LEAST_RUN = 16,
    /* For one call: pages with something in them, of which one word tells as a rule, and empty ones, which are read whole. */
    BUSY_LIMIT = 512,
    EMPTY_LIMIT = 4096,
    /* Rounds in which nothing was found make the next ones rarer, at the most 2 to the power of this. */
    REST_LIMIT = 4,
    PUT_BACK_LIMIT = 256,
    PAGE_ENTRIES = OS_PAGE / sizeof(uint32_t)
};

static struct recorder_lock sweep_lock;
/* Odd while entries are somewhere else; else twice the moves so far. */
static uint32_t moves;
static uintptr_t put_back[PUT_BACK_LIMIT];
static uint32_t put_back_count;       /* under the lock; release after the address */
/* Under the lock. */
static uint32_t next_region;
static uint32_t rest, calls;          /* one in 2^rest calls does something */
static bool found_some;               /* in this round over the regions */
static bool is_off;                   /* the kernel can not move (before 5.7), or put_back is full */

void livemap_sweep_start(void)
{
    sweep_lock.owner = 0;
    moves = put_back_count = next_region = rest = calls = 0;
    is_off = found_some = false;
}

uint32_t livemap_take_moved(uintptr_t address, uint32_t *slack)
{
    /* Acquire: the look that found nothing came before. */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    uint32_t seen = __atomic_load_n(&moves, __ATOMIC_ACQUIRE);
    while (seen != 0) {
        if (seen & 1) {
            os_yield();
            seen = __atomic_load_n(&moves, __ATOMIC_ACQUIRE);
            continue;
        }
        uint32_t word = livemap_take_shadow(address), cell = livemap_word_cell(word);
        *slack = livemap_word_slack(word);
        if (cell)
            return cell;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        uint32_t again = __atomic_load_n(&moves, __ATOMIC_RELAXED);
        if (again == seen)
            break;
        seen = again;
    }
    return 0;
}

bool livemap_was_put_back(uintptr_t address)
{
    uint32_t count = __atomic_load_n(&put_back_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        if (__atomic_load_n(&put_back[i], __ATOMIC_RELAXED) == address)
            return true;
    return false;
}

static bool is_empty(const uint32_t *page)
{
    for (unsigned i = 0; i < PAGE_ENTRIES; i += 2)
        if (__atomic_load_n((const uint64_t __attribute__((may_alias)) *)(page + i), __ATOMIC_RELAXED) != 0)
            return false;
    return true;
}

/* The address that an entry belongs to, by its place in a table of the region of that number. */
static uintptr_t address_of(uintptr_t region, uintptr_t granule, uint32_t word)
{
    return region << LIVEMAP_REGION_BITS | granule << LIVEMAP_GRANULE_BITS | (uintptr_t)(word >> 5 & 3) << 4;
}

static void restore(uint32_t *table, uintptr_t region, uintptr_t first, uint32_t *moved, uintptr_t count)
{
    for (uintptr_t i = 0; i < count; i++) {
        uint32_t word = moved[i], nothing = 0;
        if (word == 0)
            continue;
        if (put_back_count < PUT_BACK_LIMIT) {
            __atomic_store_n(&put_back[put_back_count], address_of(region, first + i, word), __ATOMIC_RELAXED);
            __atomic_store_n(&put_back_count, put_back_count + 1, __ATOMIC_RELEASE);
        }
        is_off = is_off || put_back_count == PUT_BACK_LIMIT;
        __atomic_compare_exchange_n(&table[first + i], &nothing, word, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
}

static void give_back(uint32_t *table, uintptr_t region, unsigned first_page, unsigned end_page)
{
    uintptr_t first = (uintptr_t)first_page * PAGE_ENTRIES, count = (uintptr_t)(end_page - first_page) * PAGE_ENTRIES;
    /* A handler of this thread that frees a block would wait for us. */
    uint64_t signals;
    if (!os_block_signals(&signals)) {
        is_off = true;
        return;
    }
    __atomic_store_n(&moves, moves + 1, __ATOMIC_SEQ_CST);
    uint32_t *moved = os_move_pages(table + first, count * sizeof *table);
    if (moved)
        restore(table, region, first, moved, count);
    __atomic_store_n(&moves, moves + 1, __ATOMIC_RELEASE);
    os_restore_signals(signals);
    if (moved)
        os_unmap(moved, count * sizeof *table);
    else
        is_off = true;
    found_some = true;
    rest = 0;
}

/* A run of pages, of which those in [first, end) are resident and empty, or not resident between such. A page that was swapped out
 * is not resident either: what is in it is put back like all the rest. */
struct run {
    unsigned start, first, end;
};

static void sweep_table(uint32_t *table, uintptr_t region, unsigned *busy, unsigned *empty)
{
    uint8_t resident[LIVEMAP_PIECES];
    if (!os_resident(table, LIVEMAP_PIECES * OS_PAGE, resident))
        return;
    struct run run = {0, 0, 0};
    for (unsigned page = 0; page <= LIVEMAP_PIECES; page++) {
        if (page < LIVEMAP_PIECES && !(resident[page] & 1))
            continue;
        if (page < LIVEMAP_PIECES && is_empty(table + (uintptr_t)page * PAGE_ENTRIES)) {
            if (run.end == 0)
                run.first = page;
            run.end = page + 1;
            ++*empty;
            continue;
        }
        ++*busy;
        if (run.end != 0 && page - run.start >= LEAST_RUN && !is_off)
            give_back(table, region, run.first, run.end);
        run = (struct run){page + 1, 0, 0};
    }
}

/* Further regions, until enough was looked at. */
static void sweep_regions(void)
{
    uint32_t count = __atomic_load_n(&livemap_region_count, __ATOMIC_RELAXED);
    if (count > LIVEMAP_LIST_LIMIT)
        count = LIVEMAP_LIST_LIMIT;
    unsigned busy = 0, empty = 0;
    for (uint32_t i = 0; i < count && busy < BUSY_LIMIT && empty < EMPTY_LIMIT; i++) {
        if (++next_region >= count) {
            next_region = 0;
            rest += !found_some && rest < REST_LIMIT;
            found_some = false;
        }
        uint32_t listed = __atomic_load_n(&livemap_region_list[next_region], __ATOMIC_ACQUIRE);
        if (listed == 0)
            continue;
        uint32_t *region = livemap_regions[listed - 1];
        sweep_table(region, listed - 1, &busy, &empty);
        sweep_table(region + LIVEMAP_REGION_ENTRIES, listed - 1, &busy, &empty);
    }
}

void livemap_sweep(void)
{
    uint32_t nobody = 0;
    if (!recorder_sizes_by_header ||
        !__atomic_compare_exchange_n(&sweep_lock.owner, &nobody, thread_id(), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    if (!is_off && ++calls >= 1u << rest) {
        calls = 0;
        sweep_regions();
    }
    recorder_unlock(&sweep_lock);
}
