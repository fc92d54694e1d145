/* SPDX-License-Identifier: MIT
 *
 * unwind_rules_test.c: the table of rules while it grows, forgets and is read by several threads. The rules come from here: each
 * tells which address it belongs to.
 */
#include "unwind_cfi.h"
#include "unwind_rules.h"

#include "check.h"

#include <pthread.h>

static uint32_t learnt;

static struct unwind_rule rule_of(uintptr_t pc, bool exact)
{
    return (struct unwind_rule){.kind = exact ? RULE_BP : RULE_SP, .bp = pc >> 3 & 7, .bp_offset = (int16_t)-(int)(pc & 0x7fff),
                                .cfa_offset = (int32_t)(pc * 2654435761u)};
}

/* In place of reading unwind tables. */
struct unwind_rule unwind_cfi_rule(uintptr_t pc, bool exact)
{
    __atomic_fetch_add(&learnt, 1, __ATOMIC_RELAXED);
    return rule_of(pc, exact);
}

static bool is_right(uint64_t key)
{
    struct unwind_rule found = rule_find(key), right = rule_of((uintptr_t)(key & ~RULE_KEY_EXACT), (key & RULE_KEY_EXACT) != 0);
    return found.kind == right.kind && found.bp == right.bp && found.bp_offset == right.bp_offset &&
           found.cfa_offset == right.cfa_offset;
}

enum { ADDRESSES = 100000, BASE = 0x400000, STEP = 5 };

static uint64_t key_at(uint64_t i) { return (BASE + i * STEP) | (i % 7 == 0 ? RULE_KEY_EXACT : 0); }

static void test_growth(void)
{
    unsigned wrong = 0;
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 0; i < ADDRESSES; i++)
            wrong += !is_right(key_at(i));
    CHECK_EQUAL(wrong, 0);
    CHECK_EQUAL(learnt, ADDRESSES);
}

static void test_forgetting(void)
{
    uint32_t before = learnt;
    /* A tenth, twice: they are learnt anew, the others are not. */
    for (int round = 0; round < 2; round++) {
        rule_forget(BASE, BASE + ADDRESSES / 10 * STEP - 1);
        unsigned wrong = 0;
        for (uint64_t i = 0; i < ADDRESSES; i++)
            wrong += !is_right(key_at(i));
        CHECK_EQUAL(wrong, 0);
    }
    CHECK_EQUAL(learnt - before, 2 * (ADDRESSES / 10));
    /* A library that is opened and closed for ever leaves no ever larger table behind. */
    uint64_t slots = rule_table->mask + 1;
    for (int round = 0; round < 200; round++) {
        for (uint64_t i = 0; i < 2000; i++)
            rule_find(0x90000000 + i * STEP);
        rule_forget(0x90000000, 0x90000000 + 2000 * STEP);
    }
    CHECK(rule_table->mask + 1 <= 2 * slots);
    rule_after_fork();
    CHECK(is_right(key_at(1)));
}

static void *look(void *seed)
{
    uint64_t random = 88172645463325252ull + (uintptr_t)seed;
    uintptr_t wrong = 0;
    for (int i = 0; i < 200000; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        wrong += !is_right(0x7f0000000000 + random % 50000);
    }
    return (void *)wrong;
}

static void test_threads(void)
{
    pthread_t threads[4];
    for (uintptr_t i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, look, (void *)i);
    for (int round = 0; round < 20; round++)
        rule_forget(0x7f0000000000, 0x7f0000000000 + 25000);
    for (int i = 0; i < 4; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        CHECK_EQUAL((uintptr_t)wrong, 0);
    }
}

int main(void)
{
    test_growth();
    test_forgetting();
    test_threads();
    return CHECK_REPORT();
}
