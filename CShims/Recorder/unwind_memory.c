/* SPDX-License-Identifier: MIT
 *
 * unwind_memory.c: see unwind_memory.h.
 */
#include "unwind_memory.h"

#include "unwind_cfi.h"

enum {
    PAGE = 4096,           /* of x86-64; where pages are larger, parts of one are asked for one by one */
    WORD = sizeof(uintptr_t),
    GAP = 64               /* pages in a row that a range may grow by at once: frames with large arrays */
};

static bool inside(const struct unwind_range *range, uintptr_t slot) { return slot - range->low <= range->span; }

static uintptr_t high(const struct unwind_range *range) { return range->low + range->span + WORD; }

/* Whether all pages in [start, end) can be read. */
static bool pages_readable(uintptr_t start, uintptr_t end)
{
    for (uintptr_t page = start; page < end; page += PAGE)
        if (!unwind_can_read(page))
            return false;
    return true;
}

/* Grows a range so that it holds `page`. False when that is too far off, or not all between can be read. */
static bool grow(struct unwind_range *range, uintptr_t page)
{
    uintptr_t end = high(range);
    if (range->span == 0)
        return false;
    if (page >= end && page - end < GAP * PAGE && pages_readable(end, page + PAGE)) {
        range->span = page + PAGE - WORD - range->low;
        return true;
    }
    if (page < range->low && range->low - page <= GAP * PAGE && pages_readable(page, range->low)) {
        range->span += range->low - page;
        range->low = page;
        return true;
    }
    return false;
}

GM_COLD void unwind_memory_switch(struct unwind_memory *memory, uintptr_t sp)
{
    uintptr_t page = sp & ~(uintptr_t)(PAGE - 1);
    struct unwind_range *home = &memory->ranges[UNWIND_HOME], *guest = &memory->ranges[UNWIND_GUEST];
    if (memory->current == UNWIND_GUEST && grow(guest, page))
        return;
    memory->current = UNWIND_HOME;
    if (inside(home, sp) || grow(home, page))
        return;
    /* The thread runs on that page, so it can be read. */
    if (home->span != 0) {
        memory->current = UNWIND_GUEST;
        home = guest;
    }
    *home = (struct unwind_range){page, PAGE - WORD};
}

GM_COLD bool unwind_memory_reach(struct unwind_memory *memory, uintptr_t slot)
{
    uintptr_t page = slot & ~(uintptr_t)(PAGE - 1);
    struct unwind_range *current = &memory->ranges[memory->current], *home = &memory->ranges[UNWIND_HOME];
    if ((slot & (WORD - 1)) || slot < PAGE)
        return false;
    if (inside(current, slot) || inside(home, slot))
        return true;
    if (!unwind_can_read(page))
        return false;
    /* A page of neither stack is asked for each time. */
    if (!grow(current, page) && current != home)
        grow(home, page);
    return true;
}
