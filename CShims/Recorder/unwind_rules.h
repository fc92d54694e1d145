/* SPDX-License-Identifier: MIT
 *
 * unwind_rules.h: what is known about a return address, in eight bytes, and the table that keeps it. How a rule is
 * read out of unwind tables is in unwind_cfi.c; how rules are followed, in unwind.c.
 *
 * A rule is a function of its address and of the loaded objects only, so all threads share one table. It is looked
 * up without a lock and touches one cache line as a rule.
 */
#ifndef GENMARK_UNWIND_RULES_H
#define GENMARK_UNWIND_RULES_H

#include "compiler.h"

#include <stdbool.h>
#include <stdint.h>

/* How the caller's stack pointer (the canonical frame address, CFA) is found. The first two are nearly all there is and
 * are told apart without a branch; keep their numbers. */
enum {
    RULE_NONE = 0,         /* no rule: an empty or wiped slot */
    RULE_SP = 1,           /* CFA = sp + cfa_offset */
    RULE_BP = 2,           /* CFA = bp + cfa_offset */
    RULE_AT_BP = 3,        /* CFA = *(bp + cfa_offset): realigned stacks */
    RULE_SIGNAL = 4,       /* the state that a signal interrupted lies on the stack */
    RULE_END = 5,          /* no caller */
    RULE_GUESS = 6,        /* no unwind entry: a frame pointer, if it is plausible. cfa_offset 1: in no loaded object */
    RULE_HARD = 7          /* has an unwind entry that rules can not express */
};

#if defined(__x86_64__)
/* From the stack pointer of a handler that has returned to the words of the ucontext it interrupted (kernel ABI). */
enum { RULE_SIGNAL_BP = 120, RULE_SIGNAL_SP = 160, RULE_SIGNAL_PC = 168 };
#endif

/* Bits of what happens to the frame pointer. */
enum {
    RULE_BP_SAVED = 1,     /* the caller's was saved, at CFA + bp_offset; else it is still in the register */
    RULE_BP_BY_BP = 2,     /* saved, but at bp + bp_offset */
    RULE_BP_USED = 4       /* the rule depends on the frame pointer: RULE_BP, RULE_AT_BP, RULE_GUESS, RULE_HARD, RULE_BP_BY_BP */
};

struct unwind_rule {
    uint8_t kind;
    uint8_t bp;            /* RULE_BP_… */
    int16_t bp_offset;
    int32_t cfa_offset;
};

/* Return addresses belong to the instruction before them; an address that a signal interrupted belongs to itself.
 * Keys carry that in the top bit, which no address of a program has. */
static const uint64_t RULE_KEY_EXACT = 1ull << 63;

struct rule_slot {
    uint64_t key;          /* 0 empty, 1 forgotten; stored last (release), read first (acquire) */
    uint64_t rule;         /* struct unwind_rule, its members from the low bits up, in one word so that it is read whole */
};

struct rule_table {
    uint32_t shift;        /* 64 − log2 of the slots */
    uint32_t limit;        /* slots that may be taken before the table must grow */
    uint64_t mask;
    struct rule_slot slots[2];     /* in truth mask + 1 */
};

/* Never NULL. Published with release; a table that was replaced stays readable for ever, but empty. */
extern struct rule_table *rule_table GM_HIDDEN;

/* Learns the rule of a key, anew if it was known, and keeps it. Takes the lock of the table, not the loader's. */
struct unwind_rule rule_learn(uint64_t key);

/* Drops the rules of addresses in [start, end). */
void rule_forget(uintptr_t start, uintptr_t end);
/* In the child of a fork: another thread may have held the lock. */
void rule_after_fork(void);

GM_INLINE uint64_t rule_hash(uint64_t key) { return key * 0x9e3779b97f4a7c15ull; }

GM_INLINE struct unwind_rule rule_find(uint64_t key)
{
    const struct rule_table *table = __atomic_load_n(&rule_table, __ATOMIC_ACQUIRE);
    for (uint64_t i = rule_hash(key) >> table->shift;; i = (i + 1) & table->mask) {
        const struct rule_slot *slot = &table->slots[i];
        uint64_t found = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);
        if (GM_LIKELY(found == key)) {
            uint64_t word = __atomic_load_n(&slot->rule, __ATOMIC_RELAXED);
            struct unwind_rule rule = {(uint8_t)word, (uint8_t)(word >> 8), (int16_t)(word >> 16), (int32_t)(word >> 32)};
            if (GM_UNLIKELY(rule.kind == RULE_NONE))
                return rule_learn(key);
            return rule;
        }
        if (GM_UNLIKELY(!found))
            return rule_learn(key);
    }
}

/* Whether a rule of this key is in the table. */
GM_INLINE bool rule_known(uint64_t key)
{
    const struct rule_table *table = __atomic_load_n(&rule_table, __ATOMIC_ACQUIRE);
    for (uint64_t i = rule_hash(key) >> table->shift;; i = (i + 1) & table->mask) {
        uint64_t found = __atomic_load_n(&table->slots[i].key, __ATOMIC_ACQUIRE);
        if (found == key || found == 0)
            return found == key;
    }
}

#endif
