/* SPDX-License-Identifier: MIT
 *
 * mark_internal.h: what the files of CMark share among themselves. All of it under the trace's lock.
 */
#ifndef GENMARK_MARK_INTERNAL_H
#define GENMARK_MARK_INTERNAL_H

#include "genmark_mark.h"

static inline struct gm_header *mark_header(const struct gm_file *file) { return (struct gm_header *)file->base; }

/* The extent at `offset` if it is one of that kind and lies whole in the file; NULL otherwise. A marker outside the
 * program works on files that it did not write. */
struct gm_extent *gm_extent_at(const struct gm_file *file, uint64_t offset, uint32_t kind);

/* The first bank of a new trace. */
bool gm_bank_begin(struct gm_file *file);

/* The valid bank, checked; NULL when it is not sound. */
struct gm_bank *gm_bank_current(const struct gm_file *file);
static inline struct gm_mark *gm_bank_marks(struct gm_bank *bank) { return (struct gm_mark *)(bank + 1); }
static inline struct gm_change *gm_bank_changes(struct gm_bank *bank)
{
    return (struct gm_change *)(gm_bank_marks(bank) + bank->mark_capacity);
}

/* The valid bank with room for one more mark and `changes` changes: as it is, compacted, thinned or in a larger extent. NULL
 * when there is no room for the mark; a bank with less room for changes when that is all there is. */
struct gm_bank *gm_bank_make_room(struct gm_file *file, uint64_t changes);

/* Merges `added` (sorted) into the `count` changes at `into` (sorted), which has room for both; where both have a
 * (cell, birth), the added one counts. Returns the new count. */
uint64_t gm_changes_merge(struct gm_change *into, uint64_t count, const struct gm_change *added, uint64_t added_count);

/* The index of a label, added when it is new. */
uint32_t gm_label_intern(struct gm_file *file, const char *text, size_t length);
struct gm_label *gm_label_at(struct gm_file *file, uint64_t index);

#endif
