/* SPDX-License-Identifier: MIT
 *
 * unwind_cfi.c: finding the entry of .eh_frame that covers an address, and reading its common part (CIE). What its instructions
 * come to is in unwind_row.c. The bytes come from the loaded object; they are trusted as much as its code is, but every
 * read is bounded by the object.
 *
 * Formats: DWARF 5 section 6.4.1, Linux Standard Base 5 (.eh_frame, .eh_frame_hdr).
 */
#include "unwind_cfi.h"

#include "module.h"
#include "unwind_row.h"

#if defined(__x86_64__)

static const struct unwind_rule hard = {.kind = RULE_HARD, .bp = RULE_BP_USED};
static const struct unwind_rule end = {.kind = RULE_END, .bp = RULE_BP_SAVED};
static const struct unwind_rule guess = {.kind = RULE_GUESS, .bp = RULE_BP_USED};
static const struct unwind_rule guess_outside = {.kind = RULE_GUESS, .bp = RULE_BP_USED, .cfa_offset = 1};
static const struct unwind_rule interrupted = {.kind = RULE_SIGNAL, .bp = RULE_BP_SAVED};

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
    if (!unwind_row_run(&row, common.instructions, &common, NULL, 0, 0))
        return FOUND;
    struct row initial = row;
    if (unwind_row_run(&row, entry, &common, &initial, start, target))
        *rule = unwind_row_rule(&row, common.signal, pc);
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

struct unwind_rule unwind_cfi_rule(uintptr_t pc, bool exact)
{
    struct unwind_rule rule = guess;
    if (entry_of(exact ? pc : pc - 1, pc, &rule) != NOT_FOUND)
        return rule;
    if (unwind_is_signal_return(pc))
        return interrupted;
    /* The first byte of a function with a gap before it is not returned to: the bottom of a coroutine. */
    if (!exact && entry_of(pc, pc, &rule) != NOT_FOUND)
        return end;
    struct module_tables tables;
    return module_tables_at(pc - 1, &tables) ? guess : guess_outside;
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

#endif
