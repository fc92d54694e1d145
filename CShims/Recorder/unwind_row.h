/* SPDX-License-Identifier: MIT
 *
 * unwind_row.h: what the instructions of an unwind table's entry say of one address, and the rule that comes of it. Which entry
 * that is, unwind_cfi.c finds. x86-64 only.
 */
#ifndef GENMARK_UNWIND_ROW_H
#define GENMARK_UNWIND_ROW_H

#include "unwind_bytes.h"
#include "unwind_rules.h"

enum {                     /* DWARF's numbers (System V ABI for x86-64) */
    REGISTER_BP = 6,
    REGISTER_SP = 7,
    REGISTER_PC = 16
};

enum { SAVED_SAME = 0, SAVED_AT_CFA, SAVED_AT_EXPRESSION, SAVED_NOWHERE, SAVED_OTHERWISE };

struct saved {
    uint8_t how;
    int64_t offset;
    struct bytes expression;
};

/* One row of the table that the instructions describe, of the registers that a walk needs. */
struct row {
    uint64_t cfa_register;
    int64_t cfa_offset;
    bool cfa_by_expression;
    struct bytes cfa_expression;
    struct saved pc, bp, sp;
};

struct common {            /* CIE */
    struct bytes instructions;
    uint64_t code_step;
    int64_t data_step;
    uint64_t pc_register;
    uint8_t pointer_encoding;
    bool augmented;        /* 'z': lengths are given */
    bool signal;           /* 'S' */
};

/* Runs instructions until the row of `target` is complete. `initial` is the row that the common part made, NULL while
 * it is being made. False when something is not understood. */
bool unwind_row_run(struct row *row, struct bytes in, const struct common *common, const struct row *initial,
                    uintptr_t location, uintptr_t target);

/* The rule of a complete row; `pc` is what the instruction pointer holds there. RULE_HARD when no other can express it. */
struct unwind_rule unwind_row_rule(const struct row *row, bool signal, uintptr_t pc);

#endif
