/* SPDX-License-Identifier: MIT
 *
 * calltree.h: from (parent, return address) to the node of the call tree. Nodes stand in the trace; the index that
 * finds them is private, read without a lock and never in the way of who adds to it.
 *
 * A node's place in the index follows from its path, a hash of all addresses from the root down to it, and not from its
 * parent's id: so the places of all frames of a stack are known, and can be fetched, before the first of them is looked up. In
 * a program with a million nodes each of them is a cache miss.
 */
#ifndef GENMARK_CALLTREE_H
#define GENMARK_CALLTREE_H

#include "compiler.h"
#include "trace.h"

#include <stdbool.h>
#include <stdint.h>

/* Entries are a tag in the upper half, a node in the lower one; 0 empty. A tag is the upper half of the node's path with its top
 * bit set, and its lower bits are the place where a look-up begins. An entry without node was dropped. */
struct calltree_index {
    uint64_t mask;         /* entries - 1 */
    uint64_t used;         /* under the lock */
    uint64_t entries[];
};

/* The newest index; an older one stays valid for who is still reading it. */
extern struct calltree_index *calltree_index GM_HIDDEN;

/* The path of a frame below one with the path `outer`; that of an outermost frame begins with 0. */
GM_INLINE uint64_t calltree_path(uint64_t outer, uint64_t address)
{
    return ((outer << 29 | outer >> 35) ^ address) * 0x9e3779b97f4a7c15ull;
}

GM_INLINE uint32_t calltree_tag(uint64_t path) { return (uint32_t)(path >> 32) | 1u << 31; }

/* Has the index bring in the place of a path. */
GM_INLINE void calltree_fetch(uint64_t path)
{
    const struct calltree_index *index = __atomic_load_n(&calltree_index, __ATOMIC_ACQUIRE);
    __builtin_prefetch(&index->entries[calltree_tag(path) & index->mask]);
}

/* Adds a node that the look-up missed. At the memory limit: `parent`, and `*merged` is set. */
GM_COLD uint32_t calltree_add(uint32_t parent, uint64_t address, uint64_t path, bool *merged);

/* The node in an index; 0 when it is not there. */
GM_INLINE uint32_t calltree_find(const struct calltree_index *index, uint32_t parent, uint64_t address, uint64_t path)
{
    uint32_t tag = calltree_tag(path);
    for (uint64_t i = tag;; i++) {
        /* Acquire pairs with the release in calltree_add: the node is whole. */
        uint64_t entry = __atomic_load_n(&index->entries[i & index->mask], __ATOMIC_ACQUIRE);
        if (GM_LIKELY(entry >> 32 == tag)) {
            const struct gm_node *node = trace_node((uint32_t)entry);
            if (GM_LIKELY(node->address == address && node->parent == parent))
                return (uint32_t)entry;
        }
        if (entry == 0)
            return 0;
    }
}

/* The node of a frame below its caller's; added when it is new. */
GM_INLINE uint32_t calltree_child(uint32_t parent, uint64_t address, uint64_t path, bool *merged)
{
    uint32_t node = calltree_find(__atomic_load_n(&calltree_index, __ATOMIC_ACQUIRE), parent, address, path);
    return GM_LIKELY(node != 0) ? node : calltree_add(parent, address, path, merged);
}

bool calltree_start(void);
void calltree_reset(void);

/* Addresses in [start, end) will mean something else: frames there become new nodes when they are met again. */
void calltree_forget(uintptr_t start, uintptr_t end);

#endif
