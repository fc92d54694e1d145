/* SPDX-License-Identifier: MIT
 *
 * mark.c: taking a mark: which cells changed since the last one, what is alive now, and the words that make the next
 * generation begin. Where marks are kept and thinned is in bank.c.
 *
 * The order of steps is what makes a kill harmless:
 *   1  GM_FLAG_SCAN_ALL; gather the dirty groups of all shards into the cells' extents, clearing them
 *   2  compare the cells of those groups with their bases; append changes behind the committed ones
 *   3  append the mark; unapplied_mark; count it (release): from here on the mark is taken
 *   4  generation and birth (release); clear GM_FLAG_SCAN_ALL
 *   5  copy the changes into the cells' bases; clear unapplied_mark
 * A marker that dies before 3 leaves dirty groups that nobody knows of: the next one sees SCAN_ALL and looks at every cell.
 * One that dies between 3 and 5 leaves stale bases: the next one does 5 first. Both are idempotent.
 */
#include "genmark_trace_access.h"
#include "mark_internal.h"

struct totals {
    int64_t born_blocks, born_bytes, live_blocks, live_bytes;
};

static struct gm_cell *cells_of(struct gm_extent *extent) { return (struct gm_cell *)(extent + 1); }
static uint8_t *dirty_of(struct gm_extent *extent) { return (uint8_t *)(extent + 1); }
static struct gm_counter *counters_of(struct gm_extent *extent)
{
    return (struct gm_counter *)((uint8_t *)(extent + 1) + GM_CELLS_PER_EXTENT / GM_CELLS_PER_DIRTY_BYTE);
}

static struct gm_extent *cells_at(const struct gm_file *file, uint64_t offset)
{
    struct gm_extent *extent = gm_extent_at(file, offset, GM_EXTENT_CELLS);
    if (extent && (extent->capacity != GM_CELLS_PER_EXTENT || extent->first % GM_CELLS_PER_EXTENT != 0 ||
                   extent->size < GM_EXTENT_HEADER_SIZE + sizeof(struct gm_cell) * GM_CELLS_PER_EXTENT))
        return NULL;
    return extent;
}

static struct gm_extent *counters_at(const struct gm_file *file, uint64_t offset)
{
    struct gm_extent *extent = gm_extent_at(file, offset, GM_EXTENT_COUNTERS);
    if (extent && extent->size < GM_EXTENT_HEADER_SIZE + GM_CELLS_PER_EXTENT / GM_CELLS_PER_DIRTY_BYTE +
                                     sizeof(struct gm_counter) * GM_CELLS_PER_EXTENT)
        return NULL;
    return extent;
}

/* Moves the dirty bytes of every shard into one bit for each group. Acquire-release: the exchange comes before the loads of
 * the counters; a shard's owner stores the counter first and the dirty byte after it (release), so that a store which
 * is not seen below leaves its byte set for the next mark. */
static void gather_dirty(struct gm_file *file, struct gm_extent *cells, bool all)
{
    uint64_t groups = all ? ~0ull : cells->dirty;
    unsigned shards = 0;
    for (uint64_t at = cells->counters; at && shards <= GM_SHARD_LIMIT; shards++) {
        struct gm_extent *counters = counters_at(file, at);
        if (!counters)
            break;
        uint64_t *words = (uint64_t *)dirty_of(counters);
        for (unsigned w = 0; w < 8; w++) {
            if (gm_load_u64(&words[w]) == 0)
                continue;
            uint64_t bytes = __atomic_exchange_n(&words[w], 0, __ATOMIC_ACQ_REL);
            for (unsigned b = 0; b < 8; b++)
                groups |= (uint64_t)((bytes >> (8 * b) & 0xff) != 0) << (8 * w + b);
        }
        at = counters->next;
    }
    cells->dirty = groups;
}

struct counts {
    uint64_t born_blocks, born_bytes, live_blocks, live_bytes;
};

/* The counters of one extent of cells, in every shard that has some. */
struct shards {
    struct gm_counter *counters[GM_SHARD_LIMIT];
    unsigned count;
};

static void find_shards(struct gm_file *file, struct gm_extent *cells, struct shards *shards)
{
    shards->count = 0;
    for (uint64_t at = cells->counters; at && shards->count < GM_SHARD_LIMIT;) {
        struct gm_extent *counters = counters_at(file, at);
        if (!counters)
            break;
        shards->counters[shards->count++] = counters_of(counters);
        at = counters->next;
    }
}

/* All `freed` before all `born`: what is freed was born before, so live never comes out below what it was. */
static struct counts count_cell(const struct shards *shards, unsigned index)
{
    struct counts sum = {0, 0, 0, 0};
    uint64_t freed_blocks = 0, freed_bytes = 0;
    for (unsigned s = 0; s < shards->count; s++) {
        freed_blocks += gm_load_acquire_u64(&shards->counters[s][index].freed_blocks);
        freed_bytes += gm_load_acquire_u64(&shards->counters[s][index].freed_bytes);
    }
    for (unsigned s = 0; s < shards->count; s++) {
        sum.born_blocks += gm_load_u64(&shards->counters[s][index].born_blocks);
        sum.born_bytes += gm_load_u64(&shards->counters[s][index].born_bytes);
    }
    sum.live_blocks = sum.born_blocks - freed_blocks;
    sum.live_bytes = sum.born_bytes - freed_bytes;
    return sum;
}

static unsigned put_change(struct gm_change *to, uint32_t cell, uint32_t birth, uint64_t blocks, uint64_t bytes)
{
    *to = (struct gm_change){.cell = cell, .birth = birth, .live_blocks = blocks, .live_bytes = bytes};
    return 1;
}

/* Appends what changed in one cell (at most two changes) and adds to the totals. */
static unsigned compare_cell(const struct shards *shards, struct gm_extent *cells, unsigned index, struct gm_change *to,
                             struct totals *totals)
{
    struct gm_cell *cell = &cells_of(cells)[index];
    struct counts now;
    uint32_t birth, again = gm_load_acquire_u32(&cell->birth);
    do {
        birth = again;
        now = count_cell(shards, index);
        again = gm_load_acquire_u32(&cell->birth);
    } while (birth != again);

    totals->born_blocks += (int64_t)(now.born_blocks - cell->base_born_blocks);
    totals->born_bytes += (int64_t)(now.born_bytes - cell->base_born_bytes);
    totals->live_blocks += (int64_t)(now.live_blocks - cell->base_live_blocks);
    totals->live_bytes += (int64_t)(now.live_bytes - cell->base_live_bytes);
    /* These two are only for totals of later marks, which SCAN_ALL makes good after a kill: no need to wait for step 5. */
    cell->base_born_blocks = now.born_blocks;
    cell->base_born_bytes = now.born_bytes;

    uint32_t id = (uint32_t)cells->first + index;
    bool had = cell->base_live_blocks != 0 || cell->base_live_bytes != 0;
    if (cell->base_birth != birth) {
        /* Born again since the last mark: what was alive of the old birth is gone. */
        unsigned count = had ? put_change(to, id, cell->base_birth, 0, 0) : 0;
        if (now.live_blocks != 0)
            count += put_change(to + count, id, birth, now.live_blocks, now.live_bytes);
        return count;
    }
    if (now.live_blocks == cell->base_live_blocks && now.live_bytes == cell->base_live_bytes)
        return 0;
    return put_change(to, id, birth, now.live_blocks, now.live_bytes);
}

static void apply_changes(struct gm_file *file, const struct gm_change *changes, uint64_t count)
{
    struct gm_extent *cells = NULL;
    uint64_t at = mark_header(file)->first_cells;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t first = changes[i].cell - changes[i].cell % GM_CELLS_PER_EXTENT;
        while (at && (!cells || cells->first != first)) {
            cells = cells_at(file, at);
            if (!cells || cells->first > first || (cells->next && cells->next <= at))
                return;
            if (cells->first != first)
                at = cells->next;
        }
        if (!at || !cells)
            return;
        struct gm_cell *cell = &cells_of(cells)[changes[i].cell % GM_CELLS_PER_EXTENT];
        cell->base_birth = changes[i].birth;
        /* Relaxed: the recorder looks at these two to see whether a cell may be born again; a stale look only makes it wait. */
        gm_store_u64(&cell->base_live_blocks, changes[i].live_blocks);
        gm_store_u64(&cell->base_live_bytes, changes[i].live_bytes);
    }
}

static void finish_last(struct gm_file *file, struct gm_bank *bank)
{
    struct gm_header *header = mark_header(file);
    uint64_t index = (uint64_t)header->unapplied_mark - 1;
    if (header->unapplied_mark && index < bank->mark_count) {
        struct gm_mark *mark = &gm_bank_marks(bank)[index];
        if (mark->first_change <= bank->change_count && mark->change_count <= bank->change_count - mark->first_change)
            apply_changes(file, gm_bank_changes(bank) + mark->first_change, mark->change_count);
    }
    header->unapplied_mark = 0;
}

/* Bound on the changes that the gathered groups can give: two for each cell. */
static uint64_t gather_all(struct gm_file *file, bool all)
{
    uint64_t bound = 0;
    for (uint64_t at = mark_header(file)->first_cells; at;) {
        struct gm_extent *cells = cells_at(file, at);
        if (!cells)
            break;
        gather_dirty(file, cells, all);
        bound += 2 * GM_CELLS_PER_DIRTY_BYTE * (uint64_t)__builtin_popcountll(cells->dirty);
        if (cells->next && cells->next <= at)
            break;
        at = cells->next;
    }
    return bound;
}

/* At most `room` changes: extents that lie over each other, in a damaged trace, may give more than were looked for. */
static uint64_t compare_all(struct gm_file *file, struct gm_change *to, uint64_t room, struct totals *totals)
{
    struct gm_header *header = mark_header(file);
    uint64_t count = 0, cell_count = gm_load_acquire_u64(&header->cell_count);
    for (uint64_t at = header->first_cells; at;) {
        struct gm_extent *cells = cells_at(file, at);
        if (!cells)
            break;
        struct shards shards;
        if (cells->dirty)
            find_shards(file, cells, &shards);
        for (uint64_t groups = cells->dirty; groups; groups &= groups - 1) {
            unsigned first = GM_CELLS_PER_DIRTY_BYTE * (unsigned)__builtin_ctzll(groups);
            for (unsigned i = first; i < first + GM_CELLS_PER_DIRTY_BYTE; i++)
                if (cells->first + i != 0 && cells->first + i < cell_count && room - count >= 2)
                    count += compare_cell(&shards, cells, i, to + count, totals);
        }
        if (cells->next && cells->next <= at)
            break;
        at = cells->next;
    }
    return count;
}

/* Totals anew, from every cell: where changes since the last mark do not tell them. */
static void count_all(struct gm_file *file, struct totals *totals)
{
    struct gm_header *header = mark_header(file);
    uint64_t cell_count = gm_load_acquire_u64(&header->cell_count);
    *totals = (struct totals){0, 0, 0, 0};
    for (uint64_t at = header->first_cells; at;) {
        struct gm_extent *cells = cells_at(file, at);
        if (!cells)
            break;
        struct shards shards;
        find_shards(file, cells, &shards);
        for (unsigned i = 0; i < GM_CELLS_PER_EXTENT && cells->first + i < cell_count; i++) {
            struct counts now = count_cell(&shards, i);
            totals->born_blocks += (int64_t)now.born_blocks;
            totals->born_bytes += (int64_t)now.born_bytes;
            totals->live_blocks += (int64_t)now.live_blocks;
            totals->live_bytes += (int64_t)now.live_bytes;
        }
        if (cells->next && cells->next <= at)
            break;
        at = cells->next;
    }
}

static void forget_gathered(struct gm_file *file)
{
    for (uint64_t at = mark_header(file)->first_cells; at;) {
        struct gm_extent *cells = cells_at(file, at);
        if (!cells)
            break;
        cells->dirty = 0;
        if (cells->next && cells->next <= at)
            break;
        at = cells->next;
    }
}

static struct gm_mark *last_mark(struct gm_bank *bank)
{
    return bank->mark_count ? &gm_bank_marks(bank)[bank->mark_count - 1] : NULL;
}

/* The mark before, if it is one that thinning does not keep, leaves its changes to the new one: both are merged behind the
 * new one's own place, so that the old mark stays whole until it is dropped. */
static bool absorb_last(struct gm_bank *bank, struct gm_mark *last, uint32_t thinning, struct gm_mark *mark)
{
    if (!last || (last->order & ((1u << thinning) - 1)) == 0)
        return false;
    struct gm_change *changes = gm_bank_changes(bank);
    uint64_t own = mark->change_count, start = bank->change_count + own;
    if (last->first_change > bank->change_count || last->change_count > bank->change_count - last->first_change ||
        last->change_count + own > bank->change_capacity - start)
        return false;
    for (uint32_t i = 0; i < last->change_count; i++)
        changes[start + i] = changes[last->first_change + i];
    mark->change_count = (uint32_t)gm_changes_merge(changes + start, last->change_count, changes + bank->change_count, own);
    mark->first_change = start;
    mark->merged += last->merged;
    return true;
}

static uint32_t take_locked(struct gm_file *file, const char *label, size_t length, const struct gm_sample *sample)
{
    struct gm_header *header = mark_header(file);
    struct gm_bank *bank = gm_bank_current(file);
    if (!bank || header->thinning > 31)
        return 0;
    finish_last(file, bank);

    bool all = (gm_load_u32(&header->flags) & GM_FLAG_SCAN_ALL) != 0;
    gm_or_u32(&header->flags, GM_FLAG_SCAN_ALL);
    uint64_t bound = gather_all(file, all);
    struct gm_mark *last = last_mark(bank);
    /* Twice: own changes, and once more merged with those of a mark that is absorbed. */
    bank = gm_bank_make_room(file, 2 * bound + (last ? last->change_count : 0));
    if (!bank)
        return 0;
    last = last_mark(bank);
    uint32_t index = gm_label_intern(file, label, length);
    struct gm_label *name = gm_label_at(file, index);
    if (!name)
        return 0;

    struct totals totals = {0, 0, 0, 0};
    struct gm_mark mark = {.generation = header->generation + 1, .label = index, .time_ns = sample->time_ns,
                           .rss_bytes = sample->rss_bytes, .held_bytes = sample->held_bytes, .threads = sample->threads,
                           .flags = sample->flags, .first_change = bank->change_count, .merged = 1};
    const struct gm_bank before = *bank;
    bool fits = bound <= bank->change_capacity - bank->change_count;
    if (fits)
        mark.change_count = (uint32_t)compare_all(file, gm_bank_changes(bank) + bank->change_count,
                                                  bank->change_capacity - bank->change_count, &totals);
    else
        mark.flags |= GM_MARK_CHANGES_LOST;
    if (all || !fits) {
        count_all(file, &totals);
    } else if (last) {
        totals.born_blocks += (int64_t)last->born_blocks;
        totals.born_bytes += (int64_t)last->born_bytes;
        totals.live_blocks += (int64_t)last->live_blocks;
        totals.live_bytes += (int64_t)last->live_bytes;
    }
    mark.born_blocks = (uint64_t)totals.born_blocks;
    mark.born_bytes = (uint64_t)totals.born_bytes;
    mark.live_blocks = (uint64_t)totals.live_blocks;
    mark.live_bytes = (uint64_t)totals.live_bytes;
    mark.ordinal = name->marks + 1;
    mark.order = name->marks == 0 ? header->first_marks : name->marks;
    /* In a damaged trace the bank may lie under what was written by now. */
    if (bank != gm_bank_current(file) || bank->mark_capacity != before.mark_capacity ||
        bank->change_capacity != before.change_capacity || bank->mark_count != before.mark_count ||
        bank->change_count != before.change_count || bank->mark_count >= bank->mark_capacity || header->thinning > 31)
        return 0;
    bool absorbs = fits && absorb_last(bank, last, header->thinning, &mark);

    gm_bank_marks(bank)[bank->mark_count] = mark;
    bank->change_count = mark.first_change + mark.change_count;
    if (fits)
        header->unapplied_mark = (uint32_t)bank->mark_count + 1;
    /* Release: the mark and its changes are there before it counts. */
    gm_store_release_u64(&bank->mark_count, bank->mark_count + 1);
    if (absorbs)
        gm_or_u32(&last->flags, GM_MARK_DROPPED);
    if (name->marks == 0)
        header->first_marks++;
    name->marks++;

    gm_store_release_u32(&header->generation, mark.generation);
    if ((mark.order & ((1u << header->thinning) - 1)) == 0)
        gm_store_release_u32(&header->birth, mark.generation);
    if (fits) {
        gm_clear_u32(&header->flags, GM_FLAG_SCAN_ALL);
        forget_gathered(file);
        finish_last(file, bank);
    } else {
        gm_add_u64(&header->losses[GM_LOSS_HISTORY], 1);
    }
    return mark.generation;
}

uint32_t gm_mark_take(struct gm_file *file, const char *label, size_t length, const struct gm_sample *sample, uint32_t tid)
{
    gm_lock(file, tid);
    uint32_t generation = take_locked(file, label, length, sample);
    gm_unlock(file);
    if (generation == 0)
        gm_add_u64(&mark_header(file)->losses[GM_LOSS_MARKS], 1);
    return generation;
}
