/* SPDX-License-Identifier: MIT
 *
 * unwind.c: the incremental walk. How one frame is stepped out of is a rule (unwind_rules.h); which memory a walk may
 * read, unwind_memory.h.
 *
 * A walk goes through states (return address, sp, bp). The state of the caller is a pure function of a state, of the
 * unwind tables, and of the words that the step loads from the stack. The frames of the last walk of a thread are kept,
 * each with its state and with the loads, slot and value, that led to it from the next inner one. So when a new walk
 * arrives at a state that the last one had, and all loads from there outwards still give the same values, then all
 * outer frames are the same, by induction from inside to outside; and each of these loads is one that a walk anew would
 * do too, so that proving is exactly as safe as walking. Its order must therefore be from inside to outside, and it
 * must stop at the first difference.
 *
 *   frames[0] outermost … frames[count − 1] innermost
 *   loads[0 … frames[i].loads) are those that lead outwards from frame i; those of the end of the stack come first
 *
 * Three rules that measuring has taught:
 *   - The frame pointer is part of the state where an outer frame's rule uses it. Stack pointer and return address
 *     alone do not tell two calls of a function with a frame of variable size apart.
 *   - Where no outer frame uses it, it must not be compared: optimised code keeps anything in that register. It matters
 *     in a frame when the frame's own rule uses it, or when it is passed on unchanged to an outer frame where it matters.
 *   - When a load differs (up to a third of all walks in real programs) the frames outside of it may still hold.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
/* What the walk stores word by word it loads again at once. Loads of two words at a time would have to wait until both stores
 * have reached the cache. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize "no-tree-slp-vectorize"
#endif
#include "unwind.h"

#include "compiler.h"
#include "module.h"
#include "unwind_cfi.h"
#include "unwind_libunwind.h"
#include "unwind_memo.h"
#include "unwind_memory.h"
#include "unwind_rules.h"
#include "unwind_stack.h"

enum {
#if defined(__x86_64__)
    GUESS_REACH = 0x4000,          /* a guessed frame pointer lies at most so far from the stack pointer, as libunwind has it */
#else
    GUESS_REACH = 8 << 20,         /* all frames are found by it */
#endif
    GENERATED_REACH = 256 << 20    /* bytes from one end of a compiler's code to the other: HotSpot's default is 240 MiB */
};

/* Raised when addresses have changed their meaning. */
static uint32_t walk_epoch;
/* Libraries that are being closed now. */
static uint32_t closers;
bool (*unwind_recheck)(uintptr_t address);

/* GENMARK_MAX_DEPTH; constant once recording has begun. Of a stack that is deeper, between a quarter and three quarters of it
 * are kept: enough to be read, and room to grow before it must be cut again. */
static uint32_t depth_limit = LIMIT;
static uint32_t cut_least(void) { return depth_limit / 4 > 0 ? depth_limit / 4 : 1; }
static uint32_t cut_most(void) { return depth_limit * 3 / 4 > 0 ? depth_limit * 3 / 4 : 1; }

/* Of a return address on the stack; aarch64 may have signed it in the bits above. */
#if defined(__aarch64__)
static const uintptr_t ADDRESS_MASK = (1ull << 48) - 1;
#else
static const uintptr_t ADDRESS_MASK = ~RULE_KEY_EXACT;
#endif

/* The slot of a load that is never the same: after a step that libunwind made nothing is proved. */
static const uintptr_t unprovable = UINTPTR_MAX;

size_t unwind_stack_size(void) { return sizeof(struct unwind_stack); }

/* Whether code can be there at all: not in the first page (small numbers stand for other things in the trace), not beyond what a
 * program may map. 0, the mark of the outermost frame, is none. */
GM_INLINE bool is_address(uint64_t pc) { return pc - 4096 < (1ull << 56); }

/* --- Proving ------------------------------------------------------------------------------------------------------ */

/* How many of the outermost frames hold, of those outside of frame `inner`: their own loads and all further out. These
 * are looked at in no order that makes them safe, so only on the stack in use. */
READS_STACKS static uint32_t frames_that_hold(const struct unwind_stack *stack, uint32_t inner)
{
    const struct unwind_range *range = unwind_memory_range(&stack->memory);
    uint32_t count = stack->frames[inner].loads, first = 0;
    /* Another stack than the thread's own may have been unmapped, and its memory may be used for less. */
    if (stack->memory.current != UNWIND_HOME)
        return 0;
    while (first < count && (uintptr_t)stack->loads[first].slot - range->low <= range->span &&
           STACK_WORD(stack->loads[first].slot) == stack->loads[first].value)
        first++;
    /* loads[first] belongs to the frame that is the last to begin at or before it. */
    while (inner > 0 && stack->frames[inner].loads > first)
        inner--;
    return inner;
}

/* --- Steps that are not common ------------------------------------------------------------------------------------ */

enum step { STEPPED, ENDED, BROKE, AGAIN /* by another rule: `state` is as it was */ };

/* Whether `cfa` can be the stack pointer of the caller of `state`, and its return address can be read. It lies further
 * up, unless the frame has switched to another stack: but then not by a constant distance, and not within this one. */
static GM_COLD bool is_sound(struct unwind_stack *stack, const struct state *state, struct unwind_rule rule, uintptr_t cfa)
{
    uintptr_t pc_slot = cfa - sizeof(uintptr_t);
    const struct unwind_range *range = unwind_memory_range(&stack->memory);
    if (cfa <= state->sp && (rule.kind == RULE_SP || pc_slot - range->low <= range->span))
        return false;
    return unwind_memory_has(&stack->memory, pc_slot);
}

/* Whether a word that should be a return address, to the caller of code at `inner`, is one. What was not one gets no rule: any word
 * may come here, and each would stay in the table. */
static bool is_return_address(uintptr_t pc, uintptr_t inner)
{
    struct module_tables tables;
    if (rule_known(pc) || unwind_follows_call(pc))
        return true;
    /* The kernel calls signal handlers, and code returns to its way back. */
    if (module_tables_at(pc, &tables))
        return rule_find(pc).kind == RULE_SIGNAL;
    /* Interpreters push return addresses that no call has made (HotSpot); both are in one region of generated code then. */
    return pc - inner + GENERATED_REACH < 2 * (uintptr_t)GENERATED_REACH && !module_tables_at(inner, &tables) &&
           unwind_can_read(pc & ~(uintptr_t)7);
}

/* A frame without unwind entry: its frame pointer, if everything about it is plausible. */
READS_STACKS static enum step step_by_guess(struct unwind_stack *stack, struct state *state)
{
    uintptr_t bp = state->bp, sp = state->sp, inner = state->key & ~RULE_KEY_EXACT;
    *state = (struct state){0};
    if (bp == 0)
        return ENDED;              /* the ABI's mark of the outermost frame */
    if (bp < sp || bp - sp > GUESS_REACH || !unwind_memory_has(&stack->memory, bp) || !unwind_memory_has(&stack->memory, bp + sizeof(uintptr_t)))
        return BROKE;
    const uintptr_t *slots = (const uintptr_t *)bp;
    uintptr_t outer_bp = STACK_WORD(slots), pc = STACK_WORD(slots + 1) & ADDRESS_MASK;
    *state = (struct state){.sp = bp + 2 * sizeof(uintptr_t), .bp = outer_bp, .key = pc & ~RULE_KEY_EXACT,
                            .pc_slot = slots + 1, .bp_slot = slots};
    if (pc == 0)
        return ENDED;
    return is_return_address(pc, inner) ? STEPPED : BROKE;
}

#if defined(__x86_64__)
READS_STACKS static enum step step_by_signal(struct unwind_stack *stack, struct state *state)
{
    const uintptr_t *pc_slot = (const uintptr_t *)(state->sp + RULE_SIGNAL_PC),
                    *sp_slot = (const uintptr_t *)(state->sp + RULE_SIGNAL_SP),
                    *bp_slot = (const uintptr_t *)(state->sp + RULE_SIGNAL_BP);
    /* The stack pointer's word lies between the two. */
    if (!unwind_memory_has(&stack->memory, (uintptr_t)pc_slot) || !unwind_memory_has(&stack->memory, (uintptr_t)bp_slot)) {
        *state = (struct state){0};
        return BROKE;
    }
    *state = (struct state){.sp = STACK_WORD(sp_slot), .bp = STACK_WORD(bp_slot),
                            .key = STACK_WORD(pc_slot) | RULE_KEY_EXACT,
                            .pc_slot = pc_slot, .bp_slot = bp_slot, .sp_slot = sp_slot};
    return STEPPED;
}
#endif

/* The stack is realigned: the stack pointer of the caller was saved below the frame pointer. */
READS_STACKS static enum step step_by_saved_sp(struct unwind_stack *stack, struct state *state, struct unwind_rule rule)
{
    uintptr_t sp_slot = state->bp + (uintptr_t)(intptr_t)rule.cfa_offset, bp = state->bp;
    uintptr_t cfa = unwind_memory_has(&stack->memory, sp_slot) ? STACK_WORD(sp_slot) : 0;
    uintptr_t bp_slot = (rule.bp & RULE_BP_BY_BP ? bp : cfa) + (uintptr_t)(intptr_t)rule.bp_offset;
    bool saved = rule.bp & RULE_BP_SAVED;
    if (cfa == 0 || !is_sound(stack, state, rule, cfa) || (saved && !unwind_memory_has(&stack->memory, bp_slot))) {
        *state = (struct state){0};
        return BROKE;
    }
    *state = (struct state){.sp = cfa, .key = STACK_WORD(cfa - sizeof(uintptr_t)) & ~RULE_KEY_EXACT,
                            .bp = saved ? STACK_WORD(bp_slot) : bp, .bp_slot = saved ? (const uintptr_t *)bp_slot : NULL,
                            .sp_slot = (const uintptr_t *)sp_slot};
    return state->key == 0 ? ENDED : STEPPED;
}

static enum step step_by_libunwind(struct state *state)
{
    struct unwind_state caller;
    uintptr_t pc = state->key & ~RULE_KEY_EXACT, sp = state->sp;
    *state = (struct state){0};
    if (!libunwind_step(pc, sp, &caller))
        return BROKE;
    *state = (struct state){.sp = caller.sp, .bp = caller.bp, .key = caller.pc | (caller.interrupted ? RULE_KEY_EXACT : 0),
                            .sp_slot = &unprovable};
    return STEPPED;
}

/* Steps out of a frame whose rule the walk itself does not follow. Unless STEPPED, `state` becomes what the end of the stack
 * was told by: a step that led to no frame, or zeros. */
static GM_COLD enum step step_uncommon(struct unwind_stack *stack, struct state *state, struct unwind_rule rule)
{
    switch (rule.kind) {
    case RULE_END: *state = (struct state){0}; return ENDED;
    case RULE_AT_BP: return step_by_saved_sp(stack, state, rule);
    case RULE_GUESS:
        /* Generated code once, a library that was loaded to its place now. */
        if (rule.cfa_offset != 0 && module_tables_at((state->key & ~RULE_KEY_EXACT) - 1, &(struct module_tables){0}) &&
            rule_learn(state->key).kind != RULE_GUESS)
            return AGAIN;
        return step_by_guess(stack, state);
#if defined(__x86_64__)
    case RULE_SIGNAL: return step_by_signal(stack, state);
#endif
    default: return step_by_libunwind(state);
    }
}

/* --- The walk ----------------------------------------------------------------------------------------------------- */

/* Where to cut a stack that is too deep: how many of the innermost frames to keep. Any number in the allowed range would do
 * for one walk; but the next walks, from some frames further in or out, should cut at the same place, or each would be a
 * call site of its own. So: where the stack passes the roundest address. */
static uint32_t cut_at(const struct fresh *fresh)
{
    uint32_t best = cut_most();
    uintptr_t roundest = 0;
    for (uint32_t i = cut_least(); i < depth_limit && i <= cut_most(); i++) {
        uintptr_t passed = fresh[i - 1].state.sp ^ fresh[i].state.sp;
        uintptr_t highest = passed ? (uintptr_t)1 << (63 - __builtin_clzll(passed)) : 0;
        if (highest >= roundest) {
            roundest = highest;
            best = i;
        }
    }
    return best;
}

/* Writes the loads that led to a state at `at`; returns where the next ones go. */
GM_INLINE struct load *loads_write(struct load *at, const struct state *state, int32_t bp_mask)
{
    /* Read backwards by loads_hold: the stack pointer's slot comes last, since others may lie beyond it. */
    *at = (struct load){state->bp_slot, state->bp};
    at += state->bp_slot && bp_mask;
    *at = (struct load){state->pc_slot ? state->pc_slot : (const uintptr_t *)state->sp - 1, state->key & ~RULE_KEY_EXACT};
    at++;
    if (GM_UNLIKELY(state->sp_slot != NULL))
        *at++ = (struct load){state->sp_slot, state->sp};
    return at;
}

/* Appends the frames of a walk to the first `kept` of the last one. `outer`: the state that the walk ended in, which is
 * that of the innermost kept frame, or what the end of the stack was told by (nothing when its sp is 0). */
GM_INLINE void commit(struct unwind_stack *stack, uint32_t kept, uint32_t fresh, uint32_t flags, const struct state *outer)
{
    struct load *load = stack->loads;
    int32_t bp_mask = 0;
    /* From here on frames above `kept` are not valid, until all is written. */
    __atomic_store_n(&stack->count, kept, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    stack->flags = flags;
    if (fresh == 0)
        return;
    if (GM_LIKELY(kept > 0)) {
        /* The loads that led to the frame before may have been others: from another inner frame. */
        load += stack->frames[kept - 1].loads;
        bp_mask = stack->frames[kept - 1].bp_mask;
    }
    /* Between two frames: the loads that led from the inner to the outer one. None lead to the innermost. */
    const struct state *arrival = outer;
    const struct fresh *new = &stack->fresh[fresh];
    for (uint32_t i = kept; i < kept + fresh; i++) {
        if (GM_LIKELY(arrival->sp != 0))
            load = loads_write(load, arrival, bp_mask);
        new--;
        bp_mask &= -(int32_t)!(new->rule.bp & RULE_BP_SAVED);
        bp_mask |= -(int32_t)!!(new->rule.bp & RULE_BP_USED);
        stack->frames[i] = (struct frame){new->state.sp, new->state.bp, new->state.key, (uint32_t)(load - stack->loads), bp_mask};
        stack->addresses[i] = new->state.key & ~RULE_KEY_EXACT;
        stack->nodes[i] = 0;
        arrival = &new->state;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&stack->count, kept + fresh, __ATOMIC_RELAXED);
}

READS_STACKS static void walk_anew(struct unwind_stack *stack, uintptr_t pc, uintptr_t sp, uintptr_t bp, struct unwind_walk *walk)
{
    struct unwind_range range = *unwind_memory_of(&stack->memory, sp);
    struct state state = {.sp = sp, .bp = bp, .key = pc};
    uint32_t kept = stack->count, proved = 0, fresh = 0, flags = 0;

    for (;;) {
        while (kept > 0 && stack->frames[kept - 1].sp < state.sp)
            kept--;
        if (kept > 0) {
            const struct frame *frame = &stack->frames[kept - 1];
            if (((frame->sp ^ state.sp) | (frame->key ^ state.key) |
                 ((frame->bp ^ state.bp) & (uintptr_t)(intptr_t)frame->bp_mask)) == 0) {
                if (GM_LIKELY(kept <= proved || loads_hold(stack->loads, frame->loads))) {
                    uint32_t total = kept + fresh;
                    if (GM_LIKELY(total <= depth_limit && (!(stack->flags & UNWIND_CUT) || total >= cut_least()))) {
                        flags = stack->flags;
                        break;
                    }
                    kept = 0;      /* cut anew, or find out what is further out */
                } else {
                    kept = proved = frames_that_hold(stack, kept - 1);
                }
            }
        }
        if (GM_UNLIKELY(fresh == depth_limit)) {
            kept = 0;
            fresh = cut_at(stack->fresh);
            flags = UNWIND_CUT;
            state = (struct state){0};
            break;
        }

        struct unwind_rule rule = rule_find(state.key);
        stack->fresh[fresh].state = state;
        stack->fresh[fresh].rule = rule;
        fresh++;

        if (GM_UNLIKELY(rule.kind > RULE_BP)) {
            struct state outer = state;
            enum step step = step_uncommon(stack, &outer, rule);
            state = outer;
            range = *unwind_memory_range(&stack->memory);
            if (GM_LIKELY(step == STEPPED && is_address(state.key & ~RULE_KEY_EXACT)))
                continue;
            if (step == AGAIN) {
                fresh--;
                continue;
            }
            kept = 0;
            flags = step == ENDED ? 0 : UNWIND_BROKEN;
            break;
        }

        uintptr_t cfa = (rule.kind == RULE_BP ? state.bp : state.sp) + (uintptr_t)(intptr_t)rule.cfa_offset;
        uintptr_t pc_slot = cfa - sizeof(uintptr_t);
        uintptr_t saved = (rule.bp & RULE_BP_BY_BP ? state.bp : cfa) + (uintptr_t)(intptr_t)rule.bp_offset;
        uintptr_t bp_slot = rule.bp & RULE_BP_SAVED ? saved : pc_slot;
        if (GM_UNLIKELY(cfa <= state.sp || pc_slot - range.low > range.span || bp_slot - range.low > range.span ||
                        ((cfa | bp_slot) & (sizeof(uintptr_t) - 1)) != 0)) {
            if (!is_sound(stack, &state, rule, cfa) || !unwind_memory_has(&stack->memory, bp_slot)) {
                kept = 0;
                flags = UNWIND_BROKEN;
                state = (struct state){0};
                break;
            }
            range = *unwind_memory_range(&stack->memory);
        }
        uintptr_t bp_saved = STACK_WORD(bp_slot);
        state.key = STACK_WORD(pc_slot) & ~RULE_KEY_EXACT;
        state.bp = rule.bp & RULE_BP_SAVED ? bp_saved : state.bp;
        state.bp_slot = rule.bp & RULE_BP_SAVED ? (const uintptr_t *)bp_slot : NULL;
        state.pc_slot = state.sp_slot = NULL;
        state.sp = cfa;
        if (GM_UNLIKELY(!is_address(state.key))) {
            kept = 0;
            flags = state.key == 0 ? 0 : UNWIND_BROKEN;
            break;
        }
    }

    commit(stack, kept, fresh, flags, &state);
    walk->addresses = stack->addresses;
    walk->paths = stack->paths;
    walk->nodes = stack->nodes;
    walk->count = kept + fresh;
    walk->flags = flags;
    while (GM_UNLIKELY(kept > 0 && stack->nodes[kept - 1] == 0))
        kept--;
    walk->kept = kept;
}

/* While a library is being closed: from the start each time, until no frame is of an object that was replaced. A wrong rule of such
 * a frame may lead astray further out; it is forgotten here, and the next round comes further. */
static GM_COLD void walk_rechecked(struct unwind_stack *stack, uintptr_t pc, uintptr_t sp, uintptr_t bp, struct unwind_walk *walk)
{
    bool stale = true;
    for (uint32_t rounds = 0; stale && rounds < LIMIT; rounds++) {
        stack->count = 0;
        memos_drop(stack);
        walk_anew(stack, pc, sp, bp, walk);
        stale = false;
        /* Innermost first: only what is known to be a frame can be asked about. */
        for (uint32_t i = walk->count; i > 0 && !stale; i--)
            stale = unwind_recheck && unwind_recheck((uintptr_t)walk->addresses[i - 1] - 1);
    }
}

READS_STACKS void unwind_walk(struct unwind_stack *stack, uintptr_t pc, uintptr_t sp, uintptr_t bp, struct unwind_walk *walk)
{
    uint32_t epoch = __atomic_load_n(&walk_epoch, __ATOMIC_ACQUIRE);
    if (GM_UNLIKELY(stack->epoch != epoch)) {
        /* Not the stack's epoch from here on: the next walk comes here too. */
        if (__atomic_load_n(&closers, __ATOMIC_ACQUIRE) > 0) {
            walk_rechecked(stack, pc, sp, bp, walk);
            return;
        }
        stack->count = 0;
        stack->epoch = epoch;
        memos_drop(stack);
    }
    walk_anew(stack, pc, sp, bp, walk);
}

READS_STACKS struct unwind_leaf *unwind_known(struct unwind_stack *stack, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
    bool current = GM_LIKELY(stack->epoch == __atomic_load_n(&walk_epoch, __ATOMIC_ACQUIRE));
    return current ? memo_find(stack, memo_first(pc, sp), pc, sp, bp) : NULL;
}

void unwind_remember(struct unwind_stack *stack, const struct unwind_walk *walk, struct unwind_leaf leaf)
{
    uint32_t *seen = &stack->seen[leaf.node % SEEN_COUNT];
    /* Not of a stack that is cut: where it is cut may change. */
    if (walk->kept == 0 || walk->kept == walk->count || walk->flags != 0)
        return;
    if (*seen == leaf.node)
        memo_keep(stack, walk->kept, leaf);
    *seen = leaf.node;
}

/* --- The rest ----------------------------------------------------------------------------------------------------- */

bool unwind_start(bool verify, uint32_t max_depth)
{
    depth_limit = max_depth < LIMIT ? max_depth : LIMIT;
    (void)verify;
    module_start();
    return libunwind_load();
}

bool unwind_verify(const struct unwind_walk *walk, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
    (void)bp;
    /* Beyond a frame without unwind entry libunwind has no more to go by than we have, and then takes a wrong stack pointer for
     * the caller's (seen with 1.6.2 in Swift programs: metadata accessors have no entries). */
    uint32_t first = walk->count;
    uint64_t exact = 0;
    while (first > 0) {
        struct unwind_rule rule = rule_find(walk->addresses[--first] | exact);
        if (rule.kind == RULE_GUESS)
            break;
        exact = rule.kind == RULE_SIGNAL ? RULE_KEY_EXACT : 0;
    }
    bool whole = first == 0 && !(walk->flags & UNWIND_CUT);
    return libunwind_agrees(walk->addresses + first, walk->count - first, !whole, pc, sp);
}

void unwind_forget(uintptr_t start, uintptr_t end)
{
    rule_forget(start, end);
    libunwind_forget(start, end);
    __atomic_fetch_add(&walk_epoch, 1, __ATOMIC_RELEASE);
}

void unwind_closing(bool begins)
{
    if (begins) {
        __atomic_fetch_add(&closers, 1, __ATOMIC_RELEASE);
        /* Release: who sees the new epoch sees that something is being closed. */
        __atomic_fetch_add(&walk_epoch, 1, __ATOMIC_RELEASE);
    } else {
        __atomic_fetch_sub(&closers, 1, __ATOMIC_RELEASE);
    }
}

void unwind_reset(struct unwind_stack *stack)
{
    stack->count = 0;
    stack->flags = 0;
    memos_drop(stack);
    stack->memory = (struct unwind_memory){0};
}

void unwind_after_fork(void)
{
    closers = 0;      /* a thread of the parent's */
    rule_after_fork();
}
