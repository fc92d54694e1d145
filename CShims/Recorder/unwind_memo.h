/* SPDX-License-Identifier: MIT
 *
 * unwind_memo.h: the short way of a walk: the call site of a state that was walked from before, without rules and without
 * the call tree. What a memo is, and why it may be believed, is in unwind_stack.h; the long way is in unwind.c, its only user.
 */
#ifndef GENMARK_UNWIND_MEMO_H
#define GENMARK_UNWIND_MEMO_H

#include "unwind_stack.h"

GM_INLINE struct memo *memo_set(struct unwind_stack *stack, uintptr_t pc, uintptr_t sp)
{
    uint64_t hash = (pc ^ sp << 17) * 0x9e3779b97f4a7c15ull;
    return stack->memos[hash >> (64 - __builtin_ctz(MEMO_SETS))];
}

static GM_COLD void memos_drop(struct unwind_stack *stack)
{
    /* Memory that no memo was put into stays untouched. */
    if (stack->memo_turn == 0)
        return;
    stack->memo_turn = 0;
    for (uint32_t set = 0; set < MEMO_SETS; set++)
        for (uint32_t way = 0; way < MEMO_WAYS; way++)
            stack->memos[set][way].key = 0;
}

/* What a memo has, if all that it rests on holds; else NULL. The kept frames stay as they are: they
 * are a statement about loads, which a later walk proves or not. */
READS_STACKS GM_INLINE struct unwind_leaf *memo_find(const struct unwind_stack *stack, struct memo *set, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
    for (struct memo *memo = set; memo < set + MEMO_WAYS; memo++) {
        if (((memo->key ^ pc) | (memo->sp ^ sp) | ((memo->bp ^ bp) & (uintptr_t)(intptr_t)memo->bp_mask)) != 0 ||
            !loads_hold(memo->loads, memo->load_count))
            continue;
        uint32_t index = memo->join_index;
        const struct frame *frame = &stack->frames[index];
        /* An equal node means equal outer return addresses, so equal rules: the frame pointer matters now as it did then. */
        if (GM_UNLIKELY(index >= stack->count || stack->nodes[index] != memo->join_node ||
                        ((frame->sp ^ memo->join_sp) | (frame->key ^ memo->join_key) |
                         ((frame->bp ^ memo->join_bp) & (uintptr_t)(intptr_t)frame->bp_mask)) != 0 || !loads_hold(stack->loads, frame->loads)))
            return NULL;
        return GM_LIKELY(memo->leaf.node != 0) ? &memo->leaf : NULL;
    }
    return NULL;
}

/* Remembers the part of the walk just committed that is inside of the frame `kept − 1`. Returns where the caller is to put
 * what it knows of the innermost frame, or NULL. */
GM_INLINE struct unwind_leaf *memo_keep(struct unwind_stack *stack, struct memo *set, uint32_t kept)
{
    const struct frame *join = &stack->frames[kept - 1], *innermost = &stack->frames[stack->count - 1];
    uint32_t load_count = innermost->loads - join->loads;
    if (load_count > MEMO_LOADS)
        return NULL;
    struct memo *memo = &set[stack->memo_turn++ % MEMO_WAYS];
    memo->key = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    memo->leaf = (struct unwind_leaf){0, 0};
    memo->sp = innermost->sp;
    memo->bp = innermost->bp;
    memo->bp_mask = innermost->bp_mask;
    memo->join_sp = join->sp;
    memo->join_bp = join->bp;
    memo->join_key = join->key;
    memo->join_node = stack->nodes[kept - 1];
    memo->load_count = (uint16_t)load_count;
    memo->join_index = (uint16_t)(kept - 1);
    for (uint32_t i = 0; i < load_count; i++)
        memo->loads[i] = stack->loads[join->loads + i];
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    memo->key = innermost->key;
    return &memo->leaf;
}

#endif
