/* SPDX-License-Identifier: MIT
 *
 * calltree.c: adding nodes, and growing the index. The look-up is in calltree.h.
 */
#include "calltree.h"

#include "genmark_trace.h"
#include "lock.h"
#include "module.h"
#include "os.h"
#include "thread.h"
#include "trace.h"

enum { FIRST_ENTRIES = 4096 };

struct calltree_index *calltree_index;
static struct recorder_lock tree_lock;

static size_t index_size(uint64_t entries) { return sizeof(struct calltree_index) + entries * sizeof(uint64_t); }

static struct calltree_index *index_new(uint64_t entries)
{
    size_t size = index_size(entries);
    /* The head takes a few bytes of one page more; what follows is a whole number of huge pages once the index is large. */
    bool large = size > 2 * OS_HUGE_PAGE;
    struct calltree_index *index = large ? os_map_aligned((size + 4095) & ~(size_t)4095) : os_map(size);
    os_keep_from_children(index, size);
    if (!index)
        return NULL;
    if (large)
        os_prefer_huge(index, size);
    index->mask = entries - 1;
    return index;
}

bool calltree_start(void)
{
    tree_lock.owner = 0;
    calltree_index = index_new(FIRST_ENTRIES);
    return calltree_index != NULL;
}

void calltree_reset(void) { calltree_start(); }

static void index_put(struct calltree_index *index, uint64_t entry)
{
    uint64_t i = entry >> 32;
    while (index->entries[i & index->mask] != 0)
        i++;
    /* Release: pairs with the acquire in calltree_find. */
    __atomic_store_n(&index->entries[i & index->mask], entry, __ATOMIC_RELEASE);
    index->used++;
}

/* A larger index beside the old one. Who still reads the old one misses at worst, and then looks again under the lock. The
 * old one is never unmapped, since a reader may be in it, but all of its memory beyond the first page, which has the mask, is
 * given back: it then reads as zeros, which is an empty index. */
static bool index_grow(void)
{
    struct calltree_index *old = calltree_index, *grown = index_new(2 * (old->mask + 1));
    if (!grown)
        return false;
    for (uint64_t i = 0; i <= old->mask; i++)
        if ((uint32_t)old->entries[i] != 0)
            index_put(grown, old->entries[i]);
    __atomic_store_n(&calltree_index, grown, __ATOMIC_RELEASE);
    os_give_back((uint8_t *)old + OS_PAGE, index_size(old->mask + 1) - OS_PAGE);
    return true;
}

uint32_t calltree_add(uint32_t parent, uint64_t address, uint64_t path, bool *merged)
{
    struct module_tables tables = {0, 0, 0, 0};
    /* Before the lock: it may add a module to the trace. */
    if (address >= GM_ADDRESS_SPECIAL_END)
        module_find((uintptr_t)address - 1, &tables);

    recorder_lock(&tree_lock, thread_id());
    uint32_t id = calltree_find(calltree_index, parent, address, path);
    bool room = id != 0 || calltree_index->used + 1 <= (calltree_index->mask + 1) / 3 * 2 || index_grow();
    struct gm_node *node = id == 0 && room ? trace_new_node(&id, address == GM_ADDRESS_MERGED) : NULL;
    if (node) {
        node->address = address;
        node->parent = parent;
        node->module = tables.module;
        trace_publish_node(id);
        index_put(calltree_index, (uint64_t)calltree_tag(path) << 32 | id);
    }
    recorder_unlock(&tree_lock);
    if (id != 0)
        return id;
    *merged = true;
    return parent;
}

void calltree_forget(uintptr_t start, uintptr_t end)
{
    recorder_lock(&tree_lock, thread_id());
    struct calltree_index *index = calltree_index;
    for (uint64_t i = 0; i <= index->mask; i++) {
        uint32_t id = (uint32_t)index->entries[i];
        if (id == 0)
            continue;
        /* Return addresses: the last instruction of the range returns to its end. */
        uint64_t address = trace_node(id)->address;
        if (address > start && address <= end)
            __atomic_store_n(&index->entries[i], index->entries[i] & ~(uint64_t)UINT32_MAX, __ATOMIC_RELAXED);
    }
    recorder_unlock(&tree_lock);
}
