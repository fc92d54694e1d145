/* SPDX-License-Identifier: MIT
 *
 * unwind_memo.h: the short way of a walk: the call site of a state that was walked from before, without rules and without
 * the call tree. What a memo is, and why it may be believed, is in unwind_stack.h; the long way is in unwind.c, its only user.
 */
#ifndef GENMARK_UNWIND_MEMO_H
#define GENMARK_UNWIND_MEMO_H

#include "unwind_stack.h"

/* The first of the MEMO_WAYS places of a walk; the others are this one's index with its lowest bits changed. They do not all begin
 * with the same one: the cache would have to hold them all in the same few of its sets. */
GM_INLINE uint32_t memo_first(uintptr_t pc, uintptr_t sp)
{
    uint64_t hash = (pc ^ sp << 17) * 0x9e3779b97f4a7c15ull;
    return (uint32_t)(hash >> (64 - __builtin_ctz(MEMO_COUNT)));
}

static GM_COLD void memos_drop(struct unwind_stack *stack)
{
    /* Memory that no memo was put into stays untouched. */
    if (stack->memo_turn == 0)
        return;
    stack->memo_turn = 0;
    for (uint32_t i = 0; i < MEMO_COUNT; i++)
        stack->memos[i].key = 0;
}

/* What a memo has, if all that it rests on holds; else NULL. The kept frames stay as they are: they
 * are a statement about loads, which a later walk proves or not. */
READS_STACKS GM_INLINE struct unwind_leaf *memo_find(struct unwind_stack *stack, uint32_t first, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
    for (uint32_t way = 0; way < MEMO_WAYS; way++) {
        struct memo *memo = &stack->memos[first ^ way];
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
        return &memo->leaf;
    }
    return NULL;
}

/* Remembers the part of the walk just committed that is inside of the frame `kept − 1`. */
GM_INLINE void memo_keep(struct unwind_stack *stack, uint32_t kept, struct unwind_leaf leaf)
{
    const struct frame *join = &stack->frames[kept - 1], *innermost = &stack->frames[stack->count - 1];
    uint32_t load_count = innermost->loads - join->loads;
    if (load_count > MEMO_LOADS)
        return;
    uint32_t first = memo_first(innermost->key, innermost->sp), way = 0, turn = stack->memo_turn++;
    while (way < MEMO_WAYS && stack->memos[first ^ way].key != 0)
        way++;
    struct memo *memo = &stack->memos[first ^ (way < MEMO_WAYS ? way : turn % MEMO_WAYS)];
    memo->key = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    memo->leaf = leaf;
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
}

#endif
