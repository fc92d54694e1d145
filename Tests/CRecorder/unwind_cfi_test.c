/* SPDX-License-Identifier: MIT
 *
 * unwind_cfi_test.c: unwind tables made by hand and the rules that must come of them; then the same tables damaged: any rule
 * may come of those, but no read may leave the object (the sanitizers see that). Whole walks are in unwind_test.c.
 */
#include "unwind_cfi.h"

#include "check.h"
#include "module.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)

/* One object: header, table, common part, entries, code. In memory of exactly its size. */
enum { CODE_SIZE = 256, OBJECT_SIZE = 1024 };
static uint8_t *object;
static size_t used;
static uintptr_t code_start;
static bool has_tables;

/* In place of the loader. */
bool module_tables_at(uintptr_t address, struct module_tables *tables)
{
    uintptr_t start = (uintptr_t)object;
    if (address < start || address >= start + OBJECT_SIZE)
        return false;
    *tables = (struct module_tables){start, start + OBJECT_SIZE, has_tables ? object : NULL, 0};
    return true;
}

static void put(const void *bytes, size_t size)
{
    memcpy(object + used, bytes, size);
    used += size;
}
static void put1(uint8_t value) { put(&value, 1); }
static void put4(uint32_t value) { put(&value, 4); }

struct program { const uint8_t *bytes; size_t size; };
#define PROGRAM(...) ((struct program){(const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})})

static size_t entry_begin(void) { put4(0); return used; }
static void entry_end(size_t start)
{
    while (used % 8)
        put1(0);                                           /* nop */
    uint32_t size = (uint32_t)(used - start);
    memcpy(object + start - 4, &size, 4);
}

enum encoding { PCREL_4 = 0x1b, ABSOLUTE_8 = 0x00 };

/* An object whose code has one entry: `common` and `own` instructions, and a call frame as at the start of a function. The
 * code begins behind the tables, after a gap of 16 bytes without entry. */
static void make(const char *augmentation, enum encoding encoding, struct program common, struct program own)
{
    memset(object, 0, OBJECT_SIZE);
    used = 0;
    has_tables = true;
    code_start = (uintptr_t)object + OBJECT_SIZE - CODE_SIZE;
    put1(1), put1(0x1b), put1(0x03), put1(0x3b);
    put4(24 - 4);                                          /* .eh_frame, from here */
    put4(1);
    put4((uint32_t)(code_start - (uintptr_t)object));      /* the table: code and entry, from the header */
    size_t entry_in_table = used;
    put4(0);
    put4(0);
    size_t first = used;
    size_t start = entry_begin();
    put4(0);
    put1(1);
    put(augmentation, strlen(augmentation) + 1);
    put1(1), put1(0x78), put1(16);                         /* steps of code 1, of data −8; return address in column 16 */
    if (augmentation[0] == 'z') {
        put1((uint8_t)strlen(augmentation + 1));
        for (const char *letter = augmentation + 1; *letter; letter++)
            put1(*letter == 'R' ? encoding : *letter == 'P' ? 0xff : 0);
    }
    put(PROGRAM(0x0c, 7, 8, 0x90, 1).bytes, 5);            /* CFA = rsp + 8; return address at CFA − 8 */
    put(common.bytes, common.size);
    entry_end(start);

    uint32_t at = (uint32_t)used;
    memcpy(object + entry_in_table, &at, 4);
    start = entry_begin();
    put4((uint32_t)(used - first));
    if (encoding == PCREL_4) {
        put4((uint32_t)(code_start - (uintptr_t)(object + used)));
        put4(CODE_SIZE);
    } else {
        uint64_t range[2] = {code_start, CODE_SIZE};
        put(range, sizeof range);
    }
    if (augmentation[0] == 'z')
        put1(0);
    put(own.bytes, own.size);
    entry_end(start);
    put4(0);
}

static void check_rule(const char *what, struct unwind_rule rule, uint8_t kind, int32_t cfa_offset, uint8_t bp, int16_t bp_offset)
{
    bool right = rule.kind == kind && rule.bp == bp && rule.bp_offset == bp_offset && rule.cfa_offset == cfa_offset;
    if (!right)
        fprintf(stderr, "%s: kind %d, cfa %+d, bp %d %+d\n", what, rule.kind, rule.cfa_offset, rule.bp, rule.bp_offset);
    CHECK(right);
}

static struct unwind_rule at(unsigned offset) { return unwind_cfi_rule(code_start + offset, false); }
static struct unwind_rule exactly_at(unsigned offset) { return unwind_cfi_rule(code_start + offset, true); }

static void test_plain(void)
{
    /* push rbp at 1, mov rsp,rbp at 4, … , pop rbp at 0x50, the rest again as in the body at 0x52. */
    struct program own = PROGRAM(0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, 0x4c, 0x0a, 0xc6, 0x0c, 7, 8, 0x42, 0x0b);
    for (int encoding = 0; encoding < 2; encoding++) {
        make("zR", encoding ? PCREL_4 : ABSOLUTE_8, PROGRAM(0), own);
        check_rule("entry", exactly_at(0), RULE_SP, 8, 0, 0);
        /* A call at the very start: its return address belongs to it. */
        check_rule("first call", at(1), RULE_SP, 8, 0, 0);
        check_rule("pushed", exactly_at(1), RULE_SP, 16, RULE_BP_SAVED, -16);
        check_rule("body", at(8), RULE_BP, 16, RULE_BP_SAVED | RULE_BP_USED, -16);
        check_rule("last of body", at(0x50), RULE_BP, 16, RULE_BP_SAVED | RULE_BP_USED, -16);
        check_rule("popped", exactly_at(0x50), RULE_SP, 8, 0, 0);
        check_rule("restored", exactly_at(0x52), RULE_BP, 16, RULE_BP_SAVED | RULE_BP_USED, -16);
        check_rule("end", at(CODE_SIZE), RULE_BP, 16, RULE_BP_SAVED | RULE_BP_USED, -16);
        check_rule("coroutine's bottom", at(0), RULE_END, 0, RULE_BP_SAVED, 0);
    }
}

static void test_other_forms(void)
{
    make("zPLR", PCREL_4, PROGRAM(0), PROGRAM(0x0e, 0x90, 1));
    check_rule("letters", at(4), RULE_SP, 144, 0, 0);
    make("", ABSOLUTE_8, PROGRAM(0), PROGRAM(0x0e, 24));
    check_rule("no augmentation", at(4), RULE_SP, 24, 0, 0);
    make("zQ", PCREL_4, PROGRAM(0), PROGRAM(0));
    check_rule("unknown letter", at(4), RULE_HARD, 0, RULE_BP_USED, 0);
    make("zR", PCREL_4, PROGRAM(0), PROGRAM(0x12, 6, 0x7c, 0x11, 6, 3));                        /* def_cfa_sf, offset_extended_sf */
    check_rule("signed factors", at(4), RULE_BP, 32, RULE_BP_SAVED | RULE_BP_USED, -24);
    make("zR", PCREL_4, PROGRAM(0), PROGRAM(0x2e, 0x20, 0x2f, 6, 3, 0x05, 0x8f, 1, 3));         /* GNU: args size, negative offset */
    check_rule("GNU", at(4), RULE_SP, 8, RULE_BP_SAVED, 24);
    make("zR", PCREL_4, PROGRAM(0x86, 4), PROGRAM(0x86, 2, 0x42, 0x06, 6, 0x42, 0x08, 6, 0x42, 0x07, 6));
    check_rule("saved", at(2), RULE_SP, 8, RULE_BP_SAVED, -16);
    check_rule("restore: the common one", at(4), RULE_SP, 8, RULE_BP_SAVED, -32);
    check_rule("same value", at(6), RULE_SP, 8, 0, 0);
    check_rule("undefined", at(8), RULE_SP, 8, 0, 0);
    make("zR", PCREL_4, PROGRAM(0), PROGRAM(0xc0, 0xc3));                                       /* restore rax, rbx: not ours */
    check_rule("other registers", at(4), RULE_SP, 8, 0, 0);
    make("zR", PCREL_4, PROGRAM(0), PROGRAM(0x07, 16));
    check_rule("outermost", at(4), RULE_END, 0, RULE_BP_SAVED, 0);
    /* Realigned: CFA = *(rbp − 8); rbp at rbp + 0. */
    make("zR", PCREL_4, PROGRAM(0), PROGRAM(0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 0));
    check_rule("realigned", at(4), RULE_AT_BP, -8, RULE_BP_SAVED | RULE_BP_BY_BP | RULE_BP_USED, 0);
    /* The stub of a PLT: CFA = rsp + 8 + 8·((rip & 15) ≥ 11). */
    make("zR", PCREL_4, PROGRAM(0), PROGRAM(0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22));
    uintptr_t aligned = 16 - code_start % 16;
    check_rule("stub", exactly_at((unsigned)aligned + 6), RULE_SP, 8, 0, 0);
    check_rule("stub, pushed", exactly_at((unsigned)aligned + 11), RULE_SP, 16, 0, 0);
}

static void test_signal(void)
{
    struct program own = PROGRAM(0x0f, 4, 0x77, 0xa0, 1, 0x06, 0x10, 6, 3, 0x77, 0xf8, 0, 0x10, 16, 3, 0x77, 0xa8, 1);
    make("zRS", PCREL_4, PROGRAM(0), own);
    check_rule("signal", at(4), RULE_SIGNAL, 0, RULE_BP_SAVED, 0);
    make("zR", PCREL_4, PROGRAM(0), own);
    check_rule("the same, no signal", at(4), RULE_HARD, 0, RULE_BP_USED, 0);
    make("zRS", PCREL_4, PROGRAM(0), PROGRAM(0));
    check_rule("signal of another kernel", at(4), RULE_HARD, 0, RULE_BP_USED, 0);
    /* Without entry, by its code. */
    make("zR", PCREL_4, PROGRAM(0), PROGRAM(0));
    static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    memcpy((void *)(code_start - 32), code, sizeof code);
    check_rule("signal without entry", unwind_cfi_rule(code_start - 32, false), RULE_SIGNAL, 0, RULE_BP_SAVED, 0);
}

static void test_hard_ones(void)
{
    const struct program programs[] = {
        PROGRAM(0x0d, 3),                                  /* CFA by rbx */
        PROGRAM(0x0e, 8, 0x90, 2),                         /* return address elsewhere */
        PROGRAM(0x09, 6, 3),                               /* rbp in a register */
        PROGRAM(0x14, 6, 2),                               /* rbp is a value */
        PROGRAM(0x16, 6, 1, 0x30),
        PROGRAM(0x10, 6, 3, 0x77, 8, 0x06),                /* rbp at *(rsp + 8) */
        PROGRAM(0x0f, 4, 0x77, 8, 0x06, 0x06),             /* two loads */
        PROGRAM(0x0f, 1, 0x22),                            /* plus of nothing */
        PROGRAM(0x0f, 0),                                  /* nothing at all */
        PROGRAM(0x0f, 2, 0x0c, 1),                         /* cut constant */
        PROGRAM(0x0b),                                     /* restore_state without remember_state */
        PROGRAM(0x3f),                                     /* no such instruction */
        PROGRAM(0x86, 0xff, 0xff, 0xff, 0x7f),             /* saved too far off */
        PROGRAM(0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a),
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        make("zR", PCREL_4, PROGRAM(0), programs[i]);
        char what[32];
        snprintf(what, sizeof what, "hard %zu", i);
        check_rule(what, at(4), RULE_HARD, 0, RULE_BP_USED, 0);
    }
}

static void test_no_entry(void)
{
    make("zR", PCREL_4, PROGRAM(0), PROGRAM(0));
    check_rule("gap", unwind_cfi_rule(code_start - 64, false), RULE_GUESS, 0, RULE_BP_USED, 0);
    check_rule("nowhere", unwind_cfi_rule(64, false), RULE_GUESS, 1, RULE_BP_USED, 0);
    check_rule("not an address", unwind_cfi_rule(0x4141414141414141, false), RULE_GUESS, 1, RULE_BP_USED, 0);
    has_tables = false;
    check_rule("no tables", at(4), RULE_GUESS, 0, RULE_BP_USED, 0);
    /* A header without a table: from the first entry to the last. */
    make("zR", PCREL_4, PROGRAM(0), PROGRAM(0x0e, 32));
    object[3] = 0xff;
    check_rule("linear", at(4), RULE_SP, 32, 0, 0);
    object[0] = 2;
    check_rule("another version", at(4), RULE_HARD, 0, RULE_BP_USED, 0);
}

static void test_calls(void)
{
    static const struct { uint8_t bytes[8]; uint8_t size; bool call; } cases[] = {
        {{0xe8, 1, 2, 3, 4}, 5, true},                     /* call rel32 */
        {{0xff, 0xd0}, 2, true},                           /* call *%rax */
        {{0x41, 0xff, 0xd3}, 3, true},                     /* call *%r11 */
        {{0xff, 0x10}, 2, true},                           /* call *(%rax) */
        {{0xff, 0x50, 8}, 3, true},                        /* call *8(%rax) */
        {{0xff, 0x54, 0x24, 8}, 4, true},                  /* call *8(%rsp) */
        {{0xff, 0x14, 0x24}, 3, true},                     /* call *(%rsp) */
        {{0xff, 0x14, 0xc5, 1, 2, 3, 4}, 7, true},         /* call *table(,%rax,8) */
        {{0xff, 0x15, 1, 2, 3, 4}, 6, true},               /* call *x(%rip) */
        {{0xff, 0x90, 1, 2, 3, 4}, 6, true},               /* call *x(%rax) */
        {{0xff, 0x94, 0x24, 1, 2, 3, 4}, 7, true},         /* call *x(%rsp) */
        {{0xff, 0xe0}, 2, false},                          /* jmp *%rax */
        {{0xff, 0x30}, 2, false},                          /* push (%rax) */
        {{0xe9, 1, 2, 3, 4}, 5, false},                    /* jmp */
        {{0x90, 0x90, 0x90}, 3, false},
    };
    make("zR", PCREL_4, PROGRAM(0), PROGRAM(0));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *end = (uint8_t *)code_start + 64;
        memset(end - 16, 0x90, 16);
        memcpy(end - cases[i].size, cases[i].bytes, cases[i].size);
        CHECK_EQUAL(unwind_follows_call((uintptr_t)end), cases[i].call);
    }
    CHECK(!unwind_follows_call(0));
    CHECK(!unwind_follows_call(7));
    CHECK(!unwind_follows_call(UINTPTR_MAX));
    CHECK(!unwind_can_read(0));
    CHECK(!unwind_can_read(0x4141414141414140));
    CHECK(unwind_can_read((uintptr_t)object));
}

static void test_damage(void)
{
    const struct program programs[] = {
        PROGRAM(0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, 0x4c, 0x0a, 0xc6, 0x0c, 7, 8, 0x42, 0x0b),
        PROGRAM(0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 0, 0x16, 6, 1, 0x30),
        PROGRAM(0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22),
    };
    uint64_t random = 88172645463325252ull;
    unsigned rules = 0, rounds = 60000;
    for (unsigned round = 0; round < rounds; round++) {
        make(round & 1 ? "zPLR" : "zRS", round & 2 ? PCREL_4 : ABSOLUTE_8, PROGRAM(0), programs[round % 3]);
        unsigned hits = 1 + round % 5;
        size_t size = used;
        for (unsigned i = 0; i < hits; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            object[random % size] = random & 1 << 20 ? (uint8_t)(random >> 32) : (uint8_t)(0xff << (random >> 32 & 7));
        }
        rules += at((unsigned)(random >> 40) % CODE_SIZE).kind != RULE_NONE;
        rules += exactly_at(0).kind != RULE_NONE;
    }
    CHECK_EQUAL(rules, 2 * rounds);
}

int main(void)
{
    object = aligned_alloc(64, OBJECT_SIZE);
    test_plain();
    test_other_forms();
    test_signal();
    test_hard_ones();
    test_no_entry();
    test_calls();
    test_damage();
    free(object);
    return CHECK_REPORT();
}

#else

bool module_tables_at(uintptr_t address, struct module_tables *tables) { (void)address, (void)tables; return false; }

int main(void)
{
    CHECK_EQUAL(unwind_cfi_rule(64, false).kind, RULE_GUESS);
    return CHECK_REPORT();
}

#endif
