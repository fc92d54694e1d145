/* SPDX-License-Identifier: MIT
 *
 * unwind_memory.h: which stack memory a walk may read. A wrong unwind table, code that has none, or a coroutine
 * whose bottom says nothing may send a walk anywhere; no load of it may fault.
 *
 * A thread remembers two ranges of pages that it has made sure of: that of its own stack, which stays while the thread
 * lives, and that of the stack it is on, when that is another one (an alternate signal stack, a coroutine's). A range
 * begins as the page of the stack pointer and grows page by page, each asked for once. The second one is begun anew at
 * each change of stacks, since the memory of a coroutine may have been unmapped and used again meanwhile.
 */
#ifndef GENMARK_UNWIND_MEMORY_H
#define GENMARK_UNWIND_MEMORY_H

#include "compiler.h"

#include <stdbool.h>
#include <stdint.h>

/* Words at `low` to `low + span` can be read: so a word is inside when slot − low ≤ span, unsigned. */
struct unwind_range {
    uintptr_t low;
    uintptr_t span;
};

/* Zeroed memory is a valid empty one. Of one thread. */
struct unwind_memory {
    struct unwind_range ranges[2]; /* UNWIND_HOME: of the stack that the thread's first walk was on, as a rule its own */
    uint32_t current;              /* UNWIND_… */
};

enum { UNWIND_HOME = 0, UNWIND_GUEST = 1 };

GM_INLINE const struct unwind_range *unwind_memory_range(const struct unwind_memory *memory)
{
    return &memory->ranges[memory->current];
}

/* Makes the range that holds `sp` the current one. */
void unwind_memory_switch(struct unwind_memory *memory, uintptr_t sp);

/* Makes sure of a word outside the current range. False when it cannot be read or is not aligned. */
bool unwind_memory_reach(struct unwind_memory *memory, uintptr_t slot);

/* The range of the stack that `sp`, the stack pointer in use, lies on. */
GM_INLINE const struct unwind_range *unwind_memory_of(struct unwind_memory *memory, uintptr_t sp)
{
    if (GM_UNLIKELY(sp - unwind_memory_range(memory)->low > unwind_memory_range(memory)->span))
        unwind_memory_switch(memory, sp);
    return unwind_memory_range(memory);
}

/* Whether the word at `slot` can be read. May change the current range, never to one without the stack pointer in use. */
GM_INLINE bool unwind_memory_has(struct unwind_memory *memory, uintptr_t slot)
{
    return GM_LIKELY(slot - unwind_memory_range(memory)->low <= unwind_memory_range(memory)->span && !(slot & 7)) ||
           unwind_memory_reach(memory, slot);
}

#endif
