/* SPDX-License-Identifier: MIT
 *
 * unwind_cfi.c: from an entry of .eh_frame to a rule. Finding the entry (.eh_frame_hdr), its common part (CIE), running its
 * instructions up to the address, and recognising the few shapes of the result that a rule can express. The bytes
 * come from the loaded object; they are trusted as much as its code is, but every read is bounded by the object.
 *
 * Formats: DWARF 5 section 6.4, Linux Standard Base 5 (.eh_frame, .eh_frame_hdr), System V ABI for x86-64.
 * The expressions that compilers and libc emit for CFA and registers are few: those of PLT stubs, of realigned
 * stacks and of the return from signal handlers. They are evaluated symbolically; any other gives RULE_HARD.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "unwind_cfi.h"

#include "module.h"
#include "os.h"

#include <string.h>
#include <sys/syscall.h>

bool unwind_can_read(uintptr_t address)
{
    /* The kernel copies the set before it looks at the operation, which is none: EINVAL when it could be read, else EFAULT.
     * Of the system calls that copy in, the one that sandboxes allow most. A null pointer would mean no set, and be allowed. */
    return address != 0 && os_call(SYS_rt_sigprocmask, -1, (long)address, 0, 8, 0, 0) != -14 /* EFAULT */;
}

#if defined(__x86_64__)

enum {
    REGISTER_BP = 6,
    REGISTER_SP = 7,
    REGISTER_PC = 16,
    SAVED_STATES = 8,      /* nesting of remember_state; compilers do not nest */
    DW_OMITTED = 0xff      /* encoding of a pointer that is not there */
};

/* Bytes that are read from front to back and never past the end. */
struct bytes {
    const uint8_t *at;
    const uint8_t *end;
    bool bad;              /* something did not fit; values read since are 0 */
};

static uint64_t read_fixed(struct bytes *bytes, size_t size)
{
    uint64_t value = 0;
    if ((size_t)(bytes->end - bytes->at) < size) {
        bytes->bad = true;
        bytes->at = bytes->end;
        return 0;
    }
    memcpy(&value, bytes->at, size);
    bytes->at += size;
    return value;
}

static uint64_t read_uleb(struct bytes *bytes)
{
    uint64_t value = 0;
    for (unsigned shift = 0; bytes->at < bytes->end; shift += 7) {
        uint8_t byte = *bytes->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    bytes->bad = true;
    return 0;
}

static int64_t read_sleb(struct bytes *bytes)
{
    uint64_t value = 0;
    for (unsigned shift = 0; bytes->at < bytes->end;) {
        uint8_t byte = *bytes->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (!(byte & 0x80)) {
            if (shift < 64 && (byte & 0x40))
                value |= ~0ull << shift;
            return (int64_t)value;
        }
    }
    bytes->bad = true;
    return 0;
}

static void skip(struct bytes *bytes, uint64_t size)
{
    if (size > (uint64_t)(bytes->end - bytes->at)) {
        bytes->bad = true;
        size = 0;
    }
    bytes->at += size;
}

/* A pointer in one of the DW_EH_PE encodings. `data` is what data-relative ones count from. Indirect ones are only
 * skipped here (personality routines); where a start of code is read they do not occur. */
static uintptr_t read_encoded(struct bytes *bytes, uint8_t encoding, uintptr_t data)
{
    enum { FORMAT = 0x0f, BASE = 0x70, FROM_HERE = 0x10, FROM_DATA = 0x30, ALIGNED = 0x50 };
    if (encoding == DW_OMITTED)
        return 0;
    if ((encoding & BASE) == ALIGNED)
        skip(bytes, (8 - ((uintptr_t)bytes->at & 7)) & 7);
    uintptr_t here = (uintptr_t)bytes->at;
    uintptr_t value = 0;
    switch (encoding & FORMAT) {
    case 0x00: case 0x04: case 0x0c: value = read_fixed(bytes, 8); break;
    case 0x01: value = read_uleb(bytes); break;
    case 0x09: value = (uintptr_t)read_sleb(bytes); break;
    case 0x02: value = read_fixed(bytes, 2); break;
    case 0x0a: value = (uintptr_t)(int64_t)(int16_t)read_fixed(bytes, 2); break;
    case 0x03: value = read_fixed(bytes, 4); break;
    case 0x0b: value = (uintptr_t)(int64_t)(int32_t)read_fixed(bytes, 4); break;
    default: bytes->bad = true;
    }
    switch (encoding & BASE) {
    case 0: case ALIGNED: return value;
    case FROM_HERE: return value + here;
    case FROM_DATA: return value + data;
    default: bytes->bad = true; return 0;
    }
}

/* --- Results of the instructions ---------------------------------------------------------------------------------- */

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

static struct bytes read_block(struct bytes *bytes)
{
    uint64_t size = read_uleb(bytes);
    struct bytes block = {bytes->at, bytes->at, false};
    skip(bytes, size);
    block.end = bytes->at;
    return block;
}

/* Runs instructions until the row of `target` is complete. `initial` is the row that the common part made, NULL while
 * it is being made. */
static bool row_run(struct row *row, struct bytes in, const struct common *common, const struct row *initial,
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
static const struct unwind_rule guess = {.kind = RULE_GUESS, .bp = RULE_BP_USED};
static const struct unwind_rule guess_outside = {.kind = RULE_GUESS, .bp = RULE_BP_USED, .cfa_offset = 1};
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

static struct unwind_rule row_rule(const struct row *row, bool signal, uintptr_t pc)
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

/* --- Finding the entry -------------------------------------------------------------------------------------------- */

static bool common_read(struct bytes in, struct common *common)
{
    *common = (struct common){.pc_register = REGISTER_PC};
    uint8_t version = (uint8_t)read_fixed(&in, 1);
    const char *augmentation = (const char *)in.at;
    while (read_fixed(&in, 1) != 0 && !in.bad)
        ;
    common->code_step = read_uleb(&in);
    common->data_step = read_sleb(&in);
    common->pc_register = version == 1 ? read_fixed(&in, 1) : read_uleb(&in);
    if (in.bad || (version != 1 && version != 3) || common->pc_register != REGISTER_PC)
        return false;
    if (augmentation[0] == 'z') {
        struct bytes data = read_block(&in);
        common->augmented = true;
        for (const char *letter = augmentation + 1; *letter && !data.bad; letter++) {
            if (*letter == 'R') {
                common->pointer_encoding = (uint8_t)read_fixed(&data, 1);
            } else if (*letter == 'P') {
                uint8_t encoding = (uint8_t)read_fixed(&data, 1);
                read_encoded(&data, encoding == DW_OMITTED ? encoding : encoding & 0x7f, 0);
            } else if (*letter == 'L') {
                read_fixed(&data, 1);
            } else if (*letter == 'S') {
                common->signal = true;
            } else if (*letter != 'B' && *letter != 'G') {      /* those two say something of aarch64 only */
                return false;
            }
        }
        if (data.bad)
            return false;
    } else if (augmentation[0]) {
        return false;
    }
    common->instructions = in;
    return !in.bad;
}

/* The length at the start of an entry; `entry` then spans what follows it. False at the end of the section. */
static bool entry_span(const uint8_t *at, const uint8_t *limit, struct bytes *entry)
{
    *entry = (struct bytes){at, limit, false};
    uint64_t length = read_fixed(entry, 4);
    if (length == 0xffffffff)
        length = read_fixed(entry, 8);
    if (entry->bad || length == 0 || length > (uint64_t)(limit - entry->at))
        return false;
    entry->end = entry->at + length;
    return true;
}

enum found { NOT_FOUND, FOUND, NOT_UNDERSTOOD };

/* Whether the entry at `at` covers `target`; if so, its rule. */
static enum found entry_rule(const struct module_tables *tables, const uint8_t *at, uintptr_t target, uintptr_t pc,
                             struct unwind_rule *rule)
{
    const uint8_t *low = (const uint8_t *)tables->start, *high = (const uint8_t *)tables->end;
    struct bytes entry, first;
    struct common common;
    if (at < low || at >= high || !entry_span(at, high, &entry))
        return NOT_FOUND;
    const uint8_t *field = entry.at;
    uint32_t back = (uint32_t)read_fixed(&entry, 4);
    if (back == 0)
        return NOT_FOUND;                     /* a common part: met by the linear search */
    if (back > (uintptr_t)(field - low) || !entry_span(field - back, high, &first) || read_fixed(&first, 4) != 0)
        return NOT_UNDERSTOOD;
    if (!common_read(first, &common))
        return NOT_UNDERSTOOD;
    uintptr_t start = read_encoded(&entry, common.pointer_encoding, 0);
    uintptr_t size = read_encoded(&entry, common.pointer_encoding & 0x0f, 0);
    if (entry.bad)
        return NOT_UNDERSTOOD;
    if (target - start >= size)
        return NOT_FOUND;
    if (common.augmented)
        read_block(&entry);

    struct row row = {0};
    *rule = hard;
    if (!row_run(&row, common.instructions, &common, NULL, 0, 0))
        return FOUND;
    struct row initial = row;
    if (row_run(&row, entry, &common, &initial, start, target))
        *rule = row_rule(&row, common.signal, pc);
    return FOUND;
}

/* Where the header has no table to search: from the first entry to the last. */
static enum found search_linear(const struct module_tables *tables, const uint8_t *at, uintptr_t target, uintptr_t pc,
                                struct unwind_rule *rule)
{
    const uint8_t *low = (const uint8_t *)tables->start, *high = (const uint8_t *)tables->end;
    struct bytes entry;
    while (at >= low && at < high && entry_span(at, high, &entry)) {
        enum found found = entry_rule(tables, at, target, pc, rule);
        if (found == FOUND)
            return found;
        at = entry.end;
    }
    return NOT_FOUND;
}

static enum found search(const struct module_tables *tables, uintptr_t target, uintptr_t pc, struct unwind_rule *rule)
{
    enum { TABLE_ENCODING = 0x3b /* signed 4 bytes from the header: what every linker writes */ };
    const uint8_t *header = tables->eh_frame_hdr;
    struct bytes in = {header, (const uint8_t *)tables->end, false};
    uint8_t version = (uint8_t)read_fixed(&in, 1), frame_encoding = (uint8_t)read_fixed(&in, 1),
            count_encoding = (uint8_t)read_fixed(&in, 1), table_encoding = (uint8_t)read_fixed(&in, 1);
    if (version != 1)
        return NOT_UNDERSTOOD;
    const uint8_t *frames = (const uint8_t *)read_encoded(&in, frame_encoding, (uintptr_t)header);
    uint64_t count = read_encoded(&in, count_encoding, (uintptr_t)header);
    if (in.bad)
        return NOT_UNDERSTOOD;
    if (table_encoding != TABLE_ENCODING || count_encoding == DW_OMITTED || count == 0)
        return search_linear(tables, frames, target, pc, rule);
    struct pair { int32_t start, entry; };
    if (count > (uint64_t)(in.end - in.at) / sizeof(struct pair) || ((uintptr_t)in.at & 3))
        return NOT_UNDERSTOOD;
    const struct pair *table = (const struct pair *)(const void *)in.at;
    int64_t wanted = (int64_t)(target - (uintptr_t)header);
    if (wanted < table[0].start)
        return NOT_FOUND;
    uint64_t low = 0, high = count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (table[middle].start <= wanted)
            low = middle;
        else
            high = middle;
    }
    return entry_rule(tables, header + table[low].entry, target, pc, rule);
}

/* The rule of the entry that covers `target`, if one does. */
static enum found entry_of(uintptr_t target, uintptr_t pc, struct unwind_rule *rule)
{
    struct module_tables tables;
    if (!module_tables_at(target, &tables) || !tables.eh_frame_hdr)
        return NOT_FOUND;
    enum found found = search(&tables, target, pc, rule);
    if (found == NOT_UNDERSTOOD)
        *rule = hard;
    return found;
}

static bool code_readable(uintptr_t start, uintptr_t last)
{
    struct module_tables tables;
    if (module_tables_at(start, &tables) && last < tables.end)
        return true;
    return unwind_can_read(start & ~(uintptr_t)7) && unwind_can_read(last & ~(uintptr_t)7);
}

/* mov $15,%rax; syscall: the return from a signal handler in C libraries that give it no unwind entry (musl, Go). */
static bool is_signal_return(uintptr_t pc)
{
    static const uint8_t code[9] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    return code_readable(pc, pc + sizeof code - 1) && memcmp((const void *)pc, code, sizeof code) == 0;
}

struct unwind_rule unwind_cfi_rule(uintptr_t pc, bool exact)
{
    struct unwind_rule rule = guess;
    if (entry_of(exact ? pc : pc - 1, pc, &rule) != NOT_FOUND)
        return rule;
    if (is_signal_return(pc))
        return interrupted;
    /* The first byte of a function with a gap before it is not returned to: the bottom of a coroutine. */
    if (!exact && entry_of(pc, pc, &rule) != NOT_FOUND)
        return end;
    struct module_tables tables;
    return module_tables_at(pc - 1, &tables) ? guess : guess_outside;
}

bool unwind_follows_call(uintptr_t pc)
{
    if (pc < 4096 || pc >= RULE_KEY_EXACT >> 16 || !code_readable(pc - 7, pc - 1))
        return false;
    const uint8_t *code = (const uint8_t *)pc;
    if (code[-5] == 0xe8)
        return true;                                              /* call rel32 */
    /* call through a register or memory: ff /2, by the length of its operand. */
    for (int length = 2; length <= 7; length++) {
        uint8_t operand = code[1 - length];
        if (code[-length] != 0xff || (operand >> 3 & 7) != 2)
            continue;
        unsigned mode = operand >> 6, base = operand & 7;
        bool indexed = mode != 3 && base == 4;
        int expected = 2 + indexed;
        if (mode == 1)
            expected += 1;
        else if (mode == 2 || (mode == 0 && (base == 5 || (indexed && (code[2 - length] & 7) == 5))))
            expected += 4;
        if (length == expected)
            return true;
    }
    return false;
}

#else

/* Elsewhere frames are followed by their frame pointers alone, which aarch64 compilers keep by default: a frame record is the
 * caller's frame pointer and the return address, as on x86-64. */
struct unwind_rule unwind_cfi_rule(uintptr_t pc, bool exact)
{
    (void)pc;
    (void)exact;
    return (struct unwind_rule){.kind = RULE_GUESS, .bp = RULE_BP_USED};
}

bool unwind_follows_call(uintptr_t pc)
{
    struct module_tables tables;
    if (pc < 4096 || (pc & 3))
        return false;
    /* The kernel returns from signal handlers to code that no call comes before. */
    if (module_tables_at(pc - 1, &tables))
        return true;
    uint32_t instruction;
    if (!unwind_can_read((pc - 4) & ~(uintptr_t)7))
        return false;
    memcpy(&instruction, (const void *)(pc - 4), sizeof instruction);
    bool bl = (instruction & 0xfc000000) == 0x94000000, blr = (instruction & 0xfefff000) == 0xd63f0000;
    return bl || blr;
}

#endif
