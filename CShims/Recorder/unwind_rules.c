/* SPDX-License-Identifier: MIT
 *
 * unwind_rules.c: the table of rules: learning into it, growing, forgetting. Reading unwind tables is unwind_cfi.c.
 *
 * Open addressing, at most half full, so that a look-up ends within the cache line it begins in nearly always.
 * A slot never goes from one address to another in the same table, so a reader that has seen the key may read the rule
 * without looking again. Forgotten slots are marked and not used again; a table that
 * is full of them is rebuilt at the same size.
 *
 * A replaced table is never unmapped, since a reader may be in it, but its memory is given back: it then reads as
 * zeros, which is an empty table, and the reader comes here and is sent to the new one.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "unwind_rules.h"

#include "lock.h"
#include "os.h"
#include "unwind_cfi.h"

enum {
    FIRST_LOG = 12,        /* 64 KiB */
    FORGOTTEN = 1
};

_Static_assert(sizeof(struct rule_slot) == 16, "four slots a cache line");

/* Two empty slots: before the first rule there is no memory to be had. */
static struct rule_table no_rules = {.shift = 63, .limit = 0, .mask = 1};

struct rule_table *rule_table = &no_rules;

static struct recorder_lock rule_lock;
/* Under the lock: slots that are not empty, and those of them that hold a rule. */
static uint32_t slots_taken;
static uint32_t slots_live;

static size_t table_size(uint32_t log) { return sizeof(struct rule_table) + (sizeof(struct rule_slot) << log); }

static void slot_store(struct rule_table *table, uint64_t key, uint64_t rule)
{
    uint64_t i = rule_hash(key) >> table->shift;
    for (;; i++) {
        struct rule_slot *slot = &table->slots[i & table->mask];
        if (slot->key == key) {
            __atomic_store_n(&slot->rule, rule, __ATOMIC_RELAXED);
            return;
        }
        if (slot->key == 0) {
            __atomic_store_n(&slot->rule, rule, __ATOMIC_RELAXED);
            __atomic_store_n(&slot->key, key, __ATOMIC_RELEASE);
            slots_taken++;
            slots_live++;
            return;
        }
    }
}

/* Makes room for one more. False when there is no memory: the rule is then learnt anew each time. */
static bool table_grow(void)
{
    struct rule_table *old = rule_table;
    uint32_t log = FIRST_LOG;
    if (old != &no_rules) {
        log = 64 - old->shift;
        /* Full of rules: twice the size. Full of what was forgotten: the same. */
        if (slots_live > old->limit / 2)
            log++;
    }
    /* As large as a huge page, or half of one, it is worth one: a look-up may be anywhere. */
    size_t size = table_size(log), rounded = (size + OS_HUGE_PAGE - 1) & ~(size_t)(OS_HUGE_PAGE - 1);
    bool large = size >= OS_HUGE_PAGE / 2;
    struct rule_table *table = large ? os_map_aligned(rounded) : os_map(size);
    if (!table)
        return false;
    if (large)
        os_prefer_huge(table, rounded);
    table->shift = 64 - log;
    table->mask = (1ull << log) - 1;
    table->limit = 1u << (log - 1);
    slots_taken = slots_live = 0;
    for (uint64_t i = 0; i <= old->mask; i++)
        if (old->slots[i].key > FORGOTTEN)
            slot_store(table, old->slots[i].key, old->slots[i].rule);
    __atomic_store_n(&rule_table, table, __ATOMIC_RELEASE);
    if (old != &no_rules) {
        /* Its first page stays: readers still need shift and mask. */
        os_give_back((uint8_t *)old + OS_PAGE, table_size(64 - old->shift) - OS_PAGE);
    }
    return true;
}

GM_COLD struct unwind_rule rule_learn(uint64_t key)
{
    struct unwind_rule rule = unwind_cfi_rule((uintptr_t)(key & ~RULE_KEY_EXACT), (key & RULE_KEY_EXACT) != 0);
    uint64_t word = rule.kind | (uint64_t)rule.bp << 8 | (uint64_t)(uint16_t)rule.bp_offset << 16 |
                    (uint64_t)(uint32_t)rule.cfa_offset << 32;
    recorder_lock(&rule_lock, (uint32_t)os_tid());
    if (slots_taken < rule_table->limit || table_grow())
        slot_store(rule_table, key, word);
    recorder_unlock(&rule_lock);
    return rule;
}

void rule_forget(uintptr_t start, uintptr_t end)
{
    recorder_lock(&rule_lock, (uint32_t)os_tid());
    struct rule_table *table = rule_table;
    for (uint64_t i = 0; i <= table->mask; i++) {
        uint64_t key = table->slots[i].key;
        uint64_t address = key & ~RULE_KEY_EXACT;
        /* A return address may be the first byte after the object, when it ends in a call that does not return. */
        if (key > FORGOTTEN && address >= start && address <= end) {
            __atomic_store_n(&table->slots[i].key, FORGOTTEN, __ATOMIC_RELEASE);
            slots_live--;
        }
    }
    recorder_unlock(&rule_lock);
}

void rule_after_fork(void) { recorder_unlock(&rule_lock); }
