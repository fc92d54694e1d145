/* SPDX-License-Identifier: MIT
 *
 * cell.c: new cells, and cells with nothing alive used again for a later birth.
 */
#include "cell.h"

#include "calltree.h"
#include "lock.h"
#include "os.h"
#include "trace.h"

enum {
    NEWEST_LOOKED_AT = 3,             /* of a site's cells, for one to be used again */
    OTHERS_LOOKED_AT = 8              /* further ones, going round: old births that have drained are found in time */
};

struct site {
    uint32_t newest;                  /* cell with the highest id, 0 as long as there is only the current one; the others
                                         follow by gm_cell.previous */
    uint32_t next_look;               /* where going round goes on */
};

uint64_t *cell_current;
static struct site *sites;            /* by node; under the lock */
static struct recorder_lock cell_lock;

static uint64_t node_limit(void) { return trace_file.size / sizeof(struct gm_node) + 1; }

bool cell_start(void)
{
    cell_lock.owner = 0;
    cell_current = os_keep_from_children(os_map(node_limit() * sizeof *cell_current), node_limit() * sizeof *cell_current);
    sites = os_keep_from_children(os_map(node_limit() * sizeof *sites), node_limit() * sizeof *sites);
    if (!cell_current || !sites)
        return false;
    /* Past the first pages, which small programs get by with. */
    os_prefer_huge((uint8_t *)cell_current + OS_HUGE_PAGE, node_limit() * sizeof *cell_current - OS_HUGE_PAGE);
    return true;
}

void cell_shrink(uint64_t file_size)
{
    uint64_t before = file_size / sizeof(struct gm_node) + 1;
    os_unmap_tail(cell_current, before * sizeof *cell_current, node_limit() * sizeof *cell_current);
    os_unmap_tail(sites, before * sizeof *sites, node_limit() * sizeof *sites);
}

void cell_reset(void) { cell_start(); }

/* Whether a cell can take another birth: nothing of it is alive, and the last mark knows that. All `freed` before all `born`:
 * then the result is never below the truth, and the truth can only rise by who is just being given this very cell. */
static bool is_idle(const struct gm_cell *cell, uint32_t id)
{
    if (gm_load_u64(&cell->base_live_blocks) != 0 || gm_load_u64(&cell->base_live_bytes) != 0)
        return false;
    uint32_t extent = id / GM_CELLS_PER_EXTENT, index = id % GM_CELLS_PER_EXTENT;
    unsigned shards = thread_shards();
    uint64_t freed = 0, born = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (unsigned s = 0; s < shards; s++) {
            uint8_t *counters = thread_shard_counters(s, extent);
            if (!counters)
                continue;
            struct gm_counter *counter =
                (struct gm_counter *)(counters + GM_CELLS_PER_EXTENT / GM_CELLS_PER_DIRTY_BYTE) + index;
            if (pass == 0)
                freed += gm_load_acquire_u64(&counter->freed_blocks);
            else
                born += gm_load_u64(&counter->born_blocks);
        }
    }
    return born == freed;
}

static uint32_t find_idle(struct site *site, uint32_t newest)
{
    uint32_t id = newest;
    for (int i = 0; id != 0 && i < NEWEST_LOOKED_AT; i++) {
        struct gm_cell *cell = trace_cell(id);
        if (is_idle(cell, id))
            return id;
        id = cell->previous;
    }
    if (id == 0)
        return 0;
    if (site->next_look != 0 && site->next_look < id)
        id = site->next_look;
    for (int i = 0; id != 0 && i < OTHERS_LOOKED_AT; i++) {
        struct gm_cell *cell = trace_cell(id);
        site->next_look = cell->previous;
        if (is_idle(cell, id))
            return id;
        id = cell->previous;
    }
    return 0;
}

static uint32_t find(uint32_t site_node, uint32_t birth, bool is_merged)
{
    recorder_lock(&cell_lock, thread_id());
    uint64_t current = gm_load_u64(&cell_current[site_node]);
    uint32_t id = (uint32_t)current;
    /* A later birth than ours: a mark was taken since we looked. The block is being born now, so it may as well be of the
     * newer generation. */
    if (current >> 32 < (uint64_t)birth + 1) {
        struct site *site = &sites[site_node];
        /* Most sites have one cell for ever: their part of `sites` is never touched, and takes no memory. */
        uint32_t newest = id == 0 || site->newest == 0 ? id : site->newest;
        id = newest != 0 ? find_idle(site, newest) : 0;
        struct gm_cell *cell = id ? trace_cell(id) : trace_new_cell(&id, is_merged);
        if (cell) {
            bool fresh = gm_load_u64(&trace_header()->cell_count) <= id;
            /* Release: pairs with the marker's acquire, which counts the cell again when the birth changed meanwhile. */
            gm_store_release_u32(&cell->birth, birth);
            if (fresh) {
                cell->site = site_node;
                cell->previous = newest;
                if (newest != 0)
                    site->newest = id;
                trace_publish_cell(id);
            }
            gm_store_u64(&cell_current[site_node], ((uint64_t)birth + 1) << 32 | id);
        } else {
            id = 0;
        }
    }
    recorder_unlock(&cell_lock);
    return id;
}

/* Room for no more cells: the block counts for its nearest caller that has one, else for the node of all that is merged. */
static GM_COLD uint32_t find_merged(uint32_t site_node, uint32_t birth)
{
    for (uint32_t node = trace_node(site_node)->parent; node != 0; node = trace_node(node)->parent) {
        uint64_t current = gm_load_u64(&cell_current[node]);
        if (current >> 32 == (uint64_t)birth + 1)
            return (uint32_t)current;
    }
    bool merged = false;
    uint32_t node = calltree_child(0, GM_ADDRESS_MERGED, calltree_path(0, GM_ADDRESS_MERGED), &merged);
    return merged ? 0 : find(node, birth, true);
}

uint32_t cell_find(uint32_t site_node, uint32_t birth)
{
    uint32_t id = find(site_node, birth, false);
    if (GM_LIKELY(id != 0))
        return id;
    id = find_merged(site_node, birth);
    if (id != 0)
        trace_count_loss(GM_LOSS_STACKS_MERGED, 1);
    return id;
}

bool cell_add_slowly(struct recorder_thread *thread, uint32_t cell, enum cell_side side, uint64_t blocks, uint64_t bytes)
{
    uint32_t extent = cell / GM_CELLS_PER_EXTENT, index = cell % GM_CELLS_PER_EXTENT;
    uint8_t *counters = thread->counters[extent];
    if (!counters && !(counters = thread_counters_new(thread, extent)))
        return false;
    if (!thread->shares_shard)
        return cell_add(thread, cell, side, blocks, bytes);
    uint64_t *pair = cell_counts(counters, index, side);
    gm_add_u64(pair, blocks);
    gm_add_u64(pair + 1, bytes);
    __atomic_store_n(&counters[index / GM_CELLS_PER_DIRTY_BYTE], 1, __ATOMIC_RELEASE);
    return true;
}
