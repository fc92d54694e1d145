/* SPDX-License-Identifier: MIT
 *
 * unwind_row.c: from the instructions of an entry to a row (where the caller's frame and registers are), from a row to a
 * rule. The shapes of rows that a rule can express are nearly all there are.
 *
 * Formats: DWARF 5 sections 6.4.2 (instructions) and 2.5 (expressions). The expressions that compilers and libc emit are few:
 * those of PLT stubs, of realigned stacks and of the return from signal handlers. They are evaluated symbolically, once for
 * each address; any other gives RULE_HARD.
 */
#include "unwind_row.h"

#if defined(__x86_64__)

enum { SAVED_STATES = 8 /* nesting of remember_state; compilers do not nest */ };

static struct saved *row_register(struct row *row, uint64_t number)
{
    switch (number) {
    case REGISTER_BP: return &row->bp;
    case REGISTER_SP: return &row->sp;
    case REGISTER_PC: return &row->pc;
    default: return NULL;
    }
}

static void row_save(struct row *row, uint64_t number, uint8_t how, int64_t offset)
{
    struct saved *saved = row_register(row, number);
    if (saved)
        *saved = (struct saved){.how = how, .offset = offset};
}

static bool row_restore(struct row *row, uint64_t number, const struct row *initial)
{
    if (!initial)
        return false;
    if (number == REGISTER_BP)
        row->bp = initial->bp;
    else if (number == REGISTER_SP)
        row->sp = initial->sp;
    else if (number == REGISTER_PC)
        row->pc = initial->pc;
    return true;
}

bool unwind_row_run(struct row *row, struct bytes in, const struct common *common, const struct row *initial,
                    uintptr_t location, uintptr_t target)
{
    struct row stack[SAVED_STATES];
    unsigned depth = 0;
    while (in.at < in.end && !in.bad) {
        uint8_t code = *in.at++;
        uint64_t number = code & 0x3f, advance = 0;
        bool advances = false;
        switch (code >> 6) {
        case 1: advance = number * common->code_step; advances = true; code = 0; break;
        case 2: row_save(row, number, SAVED_AT_CFA, (int64_t)read_uleb(&in) * common->data_step); continue;
        case 3:
            if (!row_restore(row, number, initial))
                return false;
            continue;
        default: break;
        }
        switch (code) {
        case 0x00: break;                                                                        /* nop */
        case 0x01: advance = read_encoded(&in, common->pointer_encoding, 0) - location; advances = true; break;
        case 0x02: advance = read_fixed(&in, 1) * common->code_step; advances = true; break;
        case 0x03: advance = read_fixed(&in, 2) * common->code_step; advances = true; break;
        case 0x04: advance = read_fixed(&in, 4) * common->code_step; advances = true; break;
        case 0x1d: advance = read_fixed(&in, 8) * common->code_step; advances = true; break;     /* MIPS_advance_loc8 */
        case 0x05: {                                                                             /* offset_extended */
            uint64_t of = read_uleb(&in);
            row_save(row, of, SAVED_AT_CFA, (int64_t)read_uleb(&in) * common->data_step);
            break;
        }
        case 0x06:                                                                               /* restore_extended */
            if (!row_restore(row, read_uleb(&in), initial))
                return false;
            break;
        case 0x07: row_save(row, read_uleb(&in), SAVED_NOWHERE, 0); break;                       /* undefined */
        case 0x08: row_save(row, read_uleb(&in), SAVED_SAME, 0); break;                          /* same_value */
        case 0x09: row_save(row, read_uleb(&in), SAVED_OTHERWISE, 0); read_uleb(&in); break;     /* register */
        case 0x0a:                                                                               /* remember_state */
            if (depth == SAVED_STATES)
                return false;
            stack[depth++] = *row;
            break;
        case 0x0b:                                                                               /* restore_state */
            if (depth == 0)
                return false;
            *row = stack[--depth];
            break;
        case 0x0c:                                                                               /* def_cfa */
            row->cfa_register = read_uleb(&in);
            row->cfa_offset = (int64_t)read_uleb(&in);
            row->cfa_by_expression = false;
            break;
        case 0x0d: row->cfa_register = read_uleb(&in); row->cfa_by_expression = false; break;    /* def_cfa_register */
        case 0x0e: row->cfa_offset = (int64_t)read_uleb(&in); break;                             /* def_cfa_offset */
        case 0x0f: row->cfa_expression = read_block(&in); row->cfa_by_expression = true; break;
        case 0x10: {                                                                             /* expression */
            uint64_t of = read_uleb(&in);
            row_save(row, of, SAVED_AT_EXPRESSION, 0);
            struct bytes expression = read_block(&in);
            if (row_register(row, of))
                row_register(row, of)->expression = expression;
            break;
        }
        case 0x11: {                                                                             /* offset_extended_sf */
            uint64_t of = read_uleb(&in);
            row_save(row, of, SAVED_AT_CFA, read_sleb(&in) * common->data_step);
            break;
        }
        case 0x12:                                                                               /* def_cfa_sf */
            row->cfa_register = read_uleb(&in);
            row->cfa_offset = read_sleb(&in) * common->data_step;
            row->cfa_by_expression = false;
            break;
        case 0x13: row->cfa_offset = read_sleb(&in) * common->data_step; break;                  /* def_cfa_offset_sf */
        case 0x14: case 0x15: row_save(row, read_uleb(&in), SAVED_OTHERWISE, 0); read_uleb(&in); break; /* val_offset */
        case 0x16: row_save(row, read_uleb(&in), SAVED_OTHERWISE, 0); read_block(&in); break;    /* val_expression */
        case 0x2e: read_uleb(&in); break;                                                        /* GNU_args_size */
        case 0x2f: {                                                            /* GNU_negative_offset_extended */
            uint64_t of = read_uleb(&in);
            row_save(row, of, SAVED_AT_CFA, -(int64_t)read_uleb(&in) * common->data_step);
            break;
        }
        default: return false;
        }
        if (advances) {
            location += advance;
            if (initial && location > target)
                return !in.bad;
        }
    }
    return !in.bad;
}

/* --- Expressions -------------------------------------------------------------------------------------------------- */

/* What an expression comes to: base register (or none) plus offset, perhaps the word at that place. */
struct value {
    int base;              /* REGISTER_BP, REGISTER_SP or −1 */
    bool loaded;
    int64_t offset;
};

static bool evaluate(struct bytes in, uintptr_t pc, struct value *result)
{
    enum { DEPTH = 8 };
    struct value stack[DEPTH];
    int depth = 0;
    while (in.at < in.end) {
        uint8_t code = *in.at++;
        struct value *top = depth ? &stack[depth - 1] : NULL;
        if (depth == DEPTH)
            return false;
        if (code >= 0x30 && code <= 0x4f) {                       /* lit0 … lit31 */
            stack[depth++] = (struct value){-1, false, code - 0x30};
        } else if (code >= 0x70 && code <= 0x8f) {                /* breg0 … breg31 */
            int number = code - 0x70;
            int64_t offset = read_sleb(&in);
            if (number == REGISTER_PC)
                stack[depth++] = (struct value){-1, false, (int64_t)pc + offset};
            else if (number == REGISTER_BP || number == REGISTER_SP)
                stack[depth++] = (struct value){number, false, offset};
            else
                return false;
        } else if (code == 0x06) {                                /* deref */
            if (!top || top->loaded || top->base < 0)
                return false;
            top->loaded = true;
        } else if (code == 0x23) {                                /* plus_uconst */
            uint64_t added = read_uleb(&in);
            if (!top || top->loaded)
                return false;
            top->offset += (int64_t)added;
        } else if (code == 0x1a || code == 0x22 || code == 0x24 || code == 0x29 || code == 0x2a) {
            if (depth < 2)
                return false;
            struct value b = stack[--depth], a = stack[depth - 1];
            struct value made = {-1, false, 0};
            if (a.loaded || b.loaded)
                return false;
            if (code == 0x22) {                                   /* plus */
                if (a.base >= 0 && b.base >= 0)
                    return false;
                made.base = a.base >= 0 ? a.base : b.base;
                made.offset = a.offset + b.offset;
            } else {
                if (a.base >= 0 || b.base >= 0)
                    return false;
                switch (code) {
                case 0x1a: made.offset = a.offset & b.offset; break;
                case 0x24: made.offset = (int64_t)((uint64_t)a.offset << (b.offset & 63)); break;
                case 0x29: made.offset = a.offset == b.offset; break;
                default: made.offset = a.offset >= b.offset;      /* ge */
                }
            }
            stack[depth - 1] = made;
        } else {
            int64_t constant;
            switch (code) {
            case 0x08: constant = (int64_t)read_fixed(&in, 1); break;
            case 0x09: constant = (int8_t)read_fixed(&in, 1); break;
            case 0x0a: constant = (int64_t)read_fixed(&in, 2); break;
            case 0x0b: constant = (int16_t)read_fixed(&in, 2); break;
            case 0x0c: constant = (int64_t)read_fixed(&in, 4); break;
            case 0x0d: constant = (int32_t)read_fixed(&in, 4); break;
            case 0x10: constant = (int64_t)read_uleb(&in); break;
            case 0x11: constant = read_sleb(&in); break;
            case 0x96: continue;                                  /* nop */
            default: return false;
            }
            stack[depth++] = (struct value){-1, false, constant};
        }
        if (in.bad)
            return false;
    }
    if (depth < 1)
        return false;
    *result = stack[depth - 1];
    return true;
}

static bool is_value(const struct saved *saved, uintptr_t pc, int base, int64_t offset)
{
    struct value value;
    return saved->how == SAVED_AT_EXPRESSION && evaluate(saved->expression, pc, &value) && value.base == base && !value.loaded &&
           value.offset == offset;
}

/* --- From a row to a rule ----------------------------------------------------------------------------------------- */

static const struct unwind_rule hard = {.kind = RULE_HARD, .bp = RULE_BP_USED};
static const struct unwind_rule end = {.kind = RULE_END, .bp = RULE_BP_SAVED};
static const struct unwind_rule interrupted = {.kind = RULE_SIGNAL, .bp = RULE_BP_SAVED};

/* Where the kernel puts the registers of an interrupted function: in the ucontext that lies at the stack pointer once the
 * handler has returned. unwind.c knows the same three offsets. */
static bool row_is_signal(const struct row *row, uintptr_t pc)
{
    struct value cfa;
    return row->cfa_by_expression && evaluate(row->cfa_expression, pc, &cfa) && cfa.base == REGISTER_SP && cfa.loaded &&
           cfa.offset == RULE_SIGNAL_SP && is_value(&row->pc, pc, REGISTER_SP, RULE_SIGNAL_PC) &&
           is_value(&row->bp, pc, REGISTER_SP, RULE_SIGNAL_BP);
}

struct unwind_rule unwind_row_rule(const struct row *row, bool signal, uintptr_t pc)
{
    if (row->pc.how == SAVED_NOWHERE)
        return end;
    if (signal)
        return row_is_signal(row, pc) ? interrupted : hard;
    if (row->pc.how != SAVED_AT_CFA || row->pc.offset != -8 || (row->sp.how != SAVED_SAME && row->sp.how != SAVED_NOWHERE))
        return hard;

    struct value cfa = {(int)row->cfa_register, false, row->cfa_offset};
    if (row->cfa_by_expression ? !evaluate(row->cfa_expression, pc, &cfa)
                               : row->cfa_register != REGISTER_BP && row->cfa_register != REGISTER_SP)
        return hard;
    struct unwind_rule rule = {.cfa_offset = (int32_t)cfa.offset};
    if (cfa.offset != rule.cfa_offset || cfa.base < 0 || (cfa.loaded && cfa.base != REGISTER_BP))
        return hard;
    rule.kind = cfa.loaded ? RULE_AT_BP : cfa.base == REGISTER_BP ? RULE_BP : RULE_SP;
    rule.bp = rule.kind == RULE_SP ? 0 : RULE_BP_USED;

    struct value bp;
    switch (row->bp.how) {
    case SAVED_SAME: case SAVED_NOWHERE: return rule;
    case SAVED_AT_CFA: rule.bp |= RULE_BP_SAVED; bp.offset = row->bp.offset; break;
    case SAVED_AT_EXPRESSION:
        if (!evaluate(row->bp.expression, pc, &bp) || bp.base != REGISTER_BP || bp.loaded)
            return hard;
        rule.bp |= RULE_BP_SAVED | RULE_BP_BY_BP | RULE_BP_USED;
        break;
    default: return hard;
    }
    rule.bp_offset = (int16_t)bp.offset;
    return bp.offset == rule.bp_offset ? rule : hard;
}

#endif
