/* SPDX-License-Identifier: MIT
 *
 * unwind_stack.h: what is kept of a thread's last walks: the frames with the loads that prove them, and memos of innermost
 * parts. How they are walked is in unwind.c, how memos are used in unwind_memo.h. Of one thread: no other looks at it.
 */
#ifndef GENMARK_UNWIND_STACK_H
#define GENMARK_UNWIND_STACK_H

#include "compiler.h"
#include "unwind.h"
#include "unwind_memory.h"
#include "unwind_rules.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LIMIT = UNWIND_DEPTH_LIMIT,
    LOADS_A_FRAME = 3,
    MEMO_COUNT = 512,
    MEMO_WAYS = 4,
    MEMO_LOADS = 15,
    SEEN_COUNT = 1024
};

/* Where a walk has come to, and the slots that the step there was loaded from. */
struct state {
    uintptr_t sp, bp;
    uint64_t key;                  /* return address, with RULE_KEY_EXACT */
    const uintptr_t *bp_slot;      /* NULL: bp was passed on */
    const uintptr_t *pc_slot;      /* NULL: where a call pushed it, right below sp */
    const uintptr_t *sp_slot;      /* NULL: sp was not loaded but calculated */
};

struct frame {
    uintptr_t sp, bp;
    uint64_t key;
    uint32_t loads;                /* of the frames outside of this one */
    int32_t bp_mask;               /* −1 when the frame pointer matters, else 0 */
};

struct load {
    const uintptr_t *slot;
    uintptr_t value;
};

/* 64 bytes, which makes an index a shift. */
struct fresh {
    struct state state;
    struct unwind_rule rule;
    uint64_t reserved;
};

/* The innermost part of an earlier walk: where it began, the loads that led outwards from there, and the state in which it
 * met a frame that was kept. When a walk begins in the same state and the loads give the same values, it will meet the
 * same state, by the same induction; and when a frame is kept there that has the same node, then the node of the
 * innermost frame is known without a look at any rule or at the call tree. 320 bytes. */
struct memo {
    uintptr_t sp, bp;
    uint64_t key;                  /* 0: none */
    uintptr_t join_sp, join_bp;
    uint64_t join_key;
    struct unwind_leaf leaf;
    uint32_t join_node;
    uint16_t load_count;
    uint16_t join_index;           /* of that frame among the kept ones, where it is looked for again */
    int32_t bp_mask;
    struct load loads[MEMO_LOADS]; /* as in unwind_stack: the last one is looked at first */
};

struct unwind_stack {
    uint32_t count;                /* of frames; all else is valid up to it at any moment (a longjmp may leave a walk) */
    uint32_t flags;
    uint32_t epoch;
    struct unwind_memory memory;
    struct frame frames[LIMIT];
    uint64_t addresses[LIMIT];
    uint64_t paths[LIMIT];
    uint32_t nodes[LIMIT];
    struct load loads[(LIMIT + 1) * LOADS_A_FRAME];
    uint32_t seen[SEEN_COUNT];     /* by node: innermost nodes of late, which are worth a memo when they come again */
    uint32_t memo_turn;            /* which way of a set is replaced next */
    struct fresh fresh[LIMIT];     /* of the walk that is going on, innermost first */
    struct memo memos[MEMO_COUNT] __attribute__((aligned(64)));
};

/* Stack words belong to functions of which the compiler and the sanitizers know nothing. */
typedef uintptr_t __attribute__((may_alias)) stack_word;
#define STACK_WORD(slot) (*(const stack_word *)(slot))
#define READS_STACKS __attribute__((no_sanitize("address", "thread")))

/* Whether loads[0 … count) all give what they gave, from the innermost to the outermost. */
READS_STACKS GM_INLINE bool loads_hold(const struct load *loads, uint32_t count)
{
    const struct load *load = loads + count;
    for (; load - loads >= 4; load -= 4)
        if (GM_UNLIKELY(STACK_WORD(load[-1].slot) != load[-1].value || STACK_WORD(load[-2].slot) != load[-2].value ||
                        STACK_WORD(load[-3].slot) != load[-3].value || STACK_WORD(load[-4].slot) != load[-4].value))
            return false;
    for (; load > loads; load--)
        if (GM_UNLIKELY(STACK_WORD(load[-1].slot) != load[-1].value))
            return false;
    return true;
}

#endif
