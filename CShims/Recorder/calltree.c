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
struct calltree_node *calltree_nodes;
static struct recorder_lock tree_lock;

static size_t index_size(uint64_t entries) { return sizeof(struct calltree_index) + entries * sizeof(struct calltree_entry); }

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
    size_t size = (trace_file.size / sizeof(struct gm_node) + 1) * sizeof *calltree_nodes;
    calltree_nodes = os_keep_from_children(os_map_aligned((size + 4095) & ~(size_t)4095), size);
    if (!calltree_index || !calltree_nodes)
        return false;
    if (size > OS_HUGE_PAGE)
        os_prefer_huge((uint8_t *)calltree_nodes + OS_HUGE_PAGE, size - OS_HUGE_PAGE);
    return true;
}

void calltree_shrink(uint64_t file_size)
{
    os_unmap_tail(calltree_nodes, (file_size / sizeof(struct gm_node) + 1) * sizeof *calltree_nodes,
                  (trace_file.size / sizeof(struct gm_node) + 1) * sizeof *calltree_nodes);
}

void calltree_reset(void) { calltree_start(); }

static void index_put(struct calltree_index *index, uint32_t parent, uint64_t address, uint32_t node)
{
    uint64_t i = calltree_hash(parent, address) & index->mask;
    while (index->entries[i].node != 0)
        i = (i + 1) & index->mask;
    struct calltree_entry *entry = &index->entries[i];
    entry->address = address;
    entry->parent = parent;
    /* Release: pairs with the acquire in calltree_child. */
    __atomic_store_n(&entry->node, node, __ATOMIC_RELEASE);
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
        if (old->entries[i].node != 0 && old->entries[i].address != 0)
            index_put(grown, old->entries[i].parent, old->entries[i].address, old->entries[i].node);
    __atomic_store_n(&calltree_index, grown, __ATOMIC_RELEASE);
    os_give_back((uint8_t *)old + OS_PAGE, index_size(old->mask + 1) - OS_PAGE);
    return true;
}

static uint32_t find_locked(uint32_t parent, uint64_t address)
{
    struct calltree_index *index = calltree_index;
    for (uint64_t i = calltree_hash(parent, address);; i++) {
        struct calltree_entry *entry = &index->entries[i & index->mask];
        if (entry->node == 0)
            return 0;
        if (entry->address == address && entry->parent == parent)
            return entry->node;
    }
}

uint32_t calltree_add(uint32_t parent, uint64_t address, bool *merged)
{
    struct module_tables tables = {0, 0, 0, 0};
    /* Before the lock: it may add a module to the trace. */
    if (address >= GM_ADDRESS_SPECIAL_END)
        module_find((uintptr_t)address - 1, &tables);

    recorder_lock(&tree_lock, thread_id());
    uint32_t id = find_locked(parent, address);
    bool room = id != 0 || calltree_index->used + 1 <= (calltree_index->mask + 1) / 3 * 2 || index_grow();
    struct gm_node *node = id == 0 && room ? trace_new_node(&id) : NULL;
    if (node) {
        node->address = address;
        node->parent = parent;
        node->module = tables.module;
        trace_publish_node(id);
        calltree_nodes[id].address = address;
        /* Release: pairs with the acquire in calltree_child. */
        __atomic_store_n(&calltree_nodes[parent].recent[1], calltree_nodes[parent].recent[0], __ATOMIC_RELEASE);
        __atomic_store_n(&calltree_nodes[parent].recent[0], id, __ATOMIC_RELEASE);
        index_put(calltree_index, parent, address, id);
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
    /* Return addresses: the last instruction of the range returns to its end. */
    for (uint64_t i = 0; i <= index->mask; i++)
        if (index->entries[i].address > start && index->entries[i].address <= end) {
            __atomic_store_n(&index->entries[i].address, 0, __ATOMIC_RELAXED);
            calltree_nodes[index->entries[i].node].address = 0;
        }
    recorder_unlock(&tree_lock);
}
