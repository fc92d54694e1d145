/* SPDX-License-Identifier: MIT
 *
 * bank.c: where marks and their changes are kept, and how they are kept from growing without bound. What is written
 * into them is decided in mark.c.
 *
 * A bank is never changed in a way that a kill could leave half done: marks are appended and then counted; thinning
 * builds another bank and switches header.bank. Old banks are used again as spare ones.
 */
#include "genmark_trace_access.h"
#include "mark_internal.h"

enum {
    FIRST_MARKS = 64,
    FIRST_CHANGES = 1024,
    MARKS_LIMIT = 4096,               /* marks kept: 512 KiB. Past it every second one goes */
    CHANGES_LIMIT = 256 * 1024,       /* changes kept: 6 MiB, unless fewer marks have more */
    FEWEST_MARKS = 512,               /* thinning for the sake of changes stops here; then the bank grows */
    BANK_SHARE = 8,                   /* a bank takes at most this part of the trace's limit: there are two, and smaller old ones */
    THINNING_LIMIT = 31
};

static struct gm_bank *bank_in(struct gm_extent *extent) { return (struct gm_bank *)(extent + 1); }

static uint64_t bank_payload(uint64_t marks, uint64_t changes)
{
    return sizeof(struct gm_bank) + marks * sizeof(struct gm_mark) + changes * sizeof(struct gm_change);
}

struct gm_extent *gm_extent_at(const struct gm_file *file, uint64_t offset, uint32_t kind)
{
    uint64_t used = mark_header(file)->used;
    if (used > file->size || offset < GM_HEADER_SIZE || offset % 64 != 0 || used < GM_EXTENT_HEADER_SIZE ||
        offset > used - GM_EXTENT_HEADER_SIZE)
        return NULL;
    struct gm_extent *extent = (struct gm_extent *)(file->base + offset);
    if (extent->magic != GM_EXTENT_MAGIC || extent->kind != kind || extent->size > used - offset ||
        extent->size < GM_EXTENT_HEADER_SIZE)
        return NULL;
    return extent;
}

static struct gm_bank *bank_at(const struct gm_file *file, uint64_t offset)
{
    struct gm_extent *extent = gm_extent_at(file, offset, GM_EXTENT_BANK);
    if (!extent || extent->size < GM_EXTENT_HEADER_SIZE + sizeof(struct gm_bank))
        return NULL;
    struct gm_bank *bank = bank_in(extent);
    if (bank_payload(bank->mark_capacity, bank->change_capacity) > extent->size - GM_EXTENT_HEADER_SIZE ||
        bank->mark_count > bank->mark_capacity || bank->change_count > bank->change_capacity)
        return NULL;
    return bank;
}

struct gm_bank *gm_bank_current(const struct gm_file *file) { return bank_at(file, mark_header(file)->bank); }

/* Of a damaged trace two banks may lie over each other. */
static bool banks_overlap(const struct gm_bank *a, const struct gm_bank *b)
{
    const uint8_t *a_end = (const uint8_t *)a + bank_payload(a->mark_capacity, a->change_capacity);
    const uint8_t *b_end = (const uint8_t *)b + bank_payload(b->mark_capacity, b->change_capacity);
    return (const uint8_t *)a < b_end && (const uint8_t *)b < a_end;
}

static uint64_t bank_offset(const struct gm_file *file, const struct gm_bank *bank)
{
    return (uint64_t)((const uint8_t *)bank - file->base) - GM_EXTENT_HEADER_SIZE;
}

static struct gm_bank *bank_new(struct gm_file *file, uint64_t marks, uint64_t changes)
{
    struct gm_extent *extent = gm_extent_add(file, GM_EXTENT_BANK, 0, 1, sizeof(struct gm_bank), bank_payload(marks, changes), 0);
    if (!extent)
        return NULL;
    struct gm_bank *bank = bank_in(extent);
    bank->mark_capacity = (uint32_t)marks;
    bank->change_capacity = (uint32_t)changes;
    return bank;
}

bool gm_bank_begin(struct gm_file *file)
{
    struct gm_bank *bank = bank_new(file, FIRST_MARKS, FIRST_CHANGES);
    if (!bank)
        return false;
    gm_store_release_u64(&mark_header(file)->bank, bank_offset(file, bank));
    return true;
}

static int change_order(const struct gm_change *a, const struct gm_change *b)
{
    if (a->cell != b->cell)
        return a->cell < b->cell ? -1 : 1;
    if (a->birth != b->birth)
        return a->birth < b->birth ? -1 : 1;
    return 0;
}

uint64_t gm_changes_merge(struct gm_change *into, uint64_t count, const struct gm_change *added, uint64_t added_count)
{
    /* From the back, so that what is written never overtakes what is still to be read. */
    uint64_t room = count + added_count, write = room, a = count, b = added_count;
    while (b > 0) {
        int order = a > 0 ? change_order(&into[a - 1], &added[b - 1]) : -1;
        if (order > 0) {
            into[--write] = into[--a];
        } else {
            if (order == 0)
                a--;
            into[--write] = added[--b];
        }
    }
    /* into[0 … a) already stands where it belongs; close the gap that equal ones left. */
    uint64_t gap = write - a;
    if (gap > 0)
        for (uint64_t i = write; i < room; i++)
            into[i - gap] = into[i];
    return room - gap;
}

static bool is_kept(const struct gm_mark *mark, bool last, uint32_t thinning)
{
    return last || (mark->order & ((1u << thinning) - 1)) == 0;
}

/* How much would be left at this thinning. Changes are an upper bound: merging may find equal ones. */
static void measure(struct gm_bank *bank, uint32_t thinning, uint64_t *marks, uint64_t *changes)
{
    *marks = *changes = 0;
    for (uint64_t i = 0; i < bank->mark_count; i++) {
        struct gm_mark *mark = &gm_bank_marks(bank)[i];
        if (mark->flags & GM_MARK_DROPPED)
            continue;
        *marks += is_kept(mark, i + 1 == bank->mark_count, thinning);
        *changes += mark->change_count;
    }
}

/* Copies what is kept of `from` into the empty `to`; every mark that goes leaves its changes to the next one. False when a
 * damaged bank does not hold what its marks say. */
static bool copy_thinned(struct gm_bank *from, struct gm_bank *to, uint32_t thinning)
{
    struct gm_change *changes = gm_bank_changes(to);
    uint64_t marks_used = 0, changes_used = 0, pending = 0;
    uint32_t merged = 0, lost = 0;
    for (uint64_t i = 0; i < from->mark_count; i++) {
        struct gm_mark *mark = &gm_bank_marks(from)[i];
        if (mark->flags & GM_MARK_DROPPED)
            continue;
        if (mark->first_change > from->change_count || mark->change_count > from->change_count - mark->first_change ||
            changes_used + pending + mark->change_count > to->change_capacity)
            return false;
        pending = gm_changes_merge(changes + changes_used, pending, gm_bank_changes(from) + mark->first_change, mark->change_count);
        merged += mark->merged;
        lost |= mark->flags & GM_MARK_CHANGES_LOST;
        if (!is_kept(mark, i + 1 == from->mark_count, thinning))
            continue;
        if (marks_used >= to->mark_capacity)
            return false;
        struct gm_mark *kept = &gm_bank_marks(to)[marks_used++];
        *kept = *mark;
        kept->first_change = changes_used;
        kept->change_count = (uint32_t)pending;
        kept->merged = merged;
        /* A later whole mark makes an earlier loss good only if it saw all cells; it did (GM_FLAG_SCAN_ALL). */
        if (lost && !(mark->flags & GM_MARK_CHANGES_LOST))
            kept->flags &= ~(uint32_t)GM_MARK_CHANGES_LOST;
        changes_used += pending;
        pending = 0;
        merged = 0;
        lost = 0;
    }
    to->change_count = changes_used;
    to->mark_count = marks_used;
    return true;
}

static uint64_t at_least(uint64_t need, uint64_t first)
{
    uint64_t capacity = first;
    while (capacity < need)
        capacity *= 2;
    return capacity;
}

/* What a bank may hold at the most, and from when on marks are thinned. */
struct bounds {
    uint64_t payload;
    uint64_t marks, changes;
    uint64_t fewest_marks;
};

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static struct bounds bounds_of(const struct gm_file *file)
{
    struct bounds bounds = {.payload = smaller(mark_header(file)->limit, file->size) / BANK_SHARE};
    bounds.marks = smaller(MARKS_LIMIT, bounds.payload / 2 / sizeof(struct gm_mark));
    bounds.changes = smaller(CHANGES_LIMIT, bounds.payload / 2 / sizeof(struct gm_change));
    bounds.fewest_marks = smaller(FEWEST_MARKS, bounds.marks / 4);
    return bounds;
}

/* The least thinning at which half of the marks' room is free, and of the changes' as far as thinning can free it. */
static uint32_t enough_thinning(struct gm_bank *bank, const struct bounds *bounds, uint32_t thinning, uint64_t added,
                                uint64_t *marks, uint64_t *changes)
{
    measure(bank, thinning, marks, changes);
    /* Merging is what frees changes, and how much is only known after it: one level at a time for their sake. */
    bool too_many = *changes + added > bounds->changes / 2 && *changes > bounds->changes / 4 && *marks > bounds->fewest_marks;
    while (thinning < THINNING_LIMIT && (*marks > bounds->marks / 2 || too_many)) {
        uint64_t before = *marks;
        measure(bank, ++thinning, marks, changes);
        too_many = too_many && *marks == before;
    }
    return thinning;
}

struct gm_bank *gm_bank_make_room(struct gm_file *file, uint64_t changes)
{
    struct gm_header *header = mark_header(file);
    struct gm_bank *bank = gm_bank_current(file);
    if (!bank)
        return NULL;
    if (bank->mark_count < bank->mark_capacity && changes <= bank->change_capacity - bank->change_count)
        return bank;
    if (header->thinning > THINNING_LIMIT)
        return NULL;

    struct bounds bounds = bounds_of(file);
    uint64_t marks_left, changes_left;
    uint32_t thinning = enough_thinning(bank, &bounds, header->thinning, changes, &marks_left, &changes_left);

    uint64_t mark_room = smaller(at_least(2 * marks_left + 1, FIRST_MARKS), bounds.marks);
    uint64_t change_room = at_least(changes_left + changes + changes_left / 2, FIRST_CHANGES);
    if (bank_payload(mark_room, change_room) > bounds.payload) {
        /* As much as there may be, if that holds what is to be kept. */
        uint64_t marks_only = bank_payload(mark_room, 0);
        change_room = bounds.payload > marks_only ? (bounds.payload - marks_only) / sizeof(struct gm_change) : 0;
    }
    struct gm_bank *next = header->spare_bank ? bank_at(file, header->spare_bank) : NULL;
    if (next && (banks_overlap(next, bank) || next->mark_capacity < marks_left + marks_left / 2 + 1 ||
                 next->change_capacity < smaller(changes_left + changes, change_room)))
        next = NULL;
    bool used_spare = next != NULL;
    if (!next && change_room >= changes_left)
        next = bank_new(file, mark_room, change_room);
    if (next) {
        next->mark_count = next->change_count = 0;
        if (!copy_thinned(bank, next, thinning))
            next = NULL;
    }
    if (!next) {
        /* No room for a better one. The mark itself may still fit, its changes perhaps not. */
        return bank->mark_count < bank->mark_capacity ? bank : NULL;
    }
    if (used_spare)
        header->spare_bank = 0;
    header->thinning = thinning;
    /* Release: whoever sees the new offset sees all of the new bank. */
    gm_store_release_u64(&header->bank, bank_offset(file, next));
    header->spare_bank = bank_offset(file, bank);
    return next;
}
