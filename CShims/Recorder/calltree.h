/* SPDX-License-Identifier: MIT
 *
 * calltree.h: from (parent, return address) to the node of the call tree. Nodes stand in the trace; the index that
 * finds them is private, read without a lock and never in the way of who adds to it.
 */
#ifndef GENMARK_CALLTREE_H
#define GENMARK_CALLTREE_H

#include "compiler.h"

#include <stdbool.h>
#include <stdint.h>

/* 16 bytes, so that a look-up touches one cache line and no node. `node` is stored last (release): an entry with a node is
 * whole. An entry whose address is 0 was dropped and matches nothing. */
struct calltree_entry {
    uint64_t address;
    uint32_t parent;
    uint32_t node;         /* 0 empty */
};

struct calltree_index {
    uint64_t mask;         /* entries - 1 */
    uint64_t used;         /* under the lock */
    struct calltree_entry entries[];
};

/* What is kept of a node beside the index, in order of ids: nodes that were added together, as those of one stack are, lie
 * together. `recent` are children that were looked up last, in no sure order: hints, always true children. */
struct calltree_node {
    uint64_t address;      /* 0: dropped */
    uint32_t recent[2];
};
extern struct calltree_node *calltree_nodes;

/* The newest index; an older one stays valid for who is still reading it. */
extern struct calltree_index *calltree_index;

GM_INLINE uint64_t calltree_hash(uint32_t parent, uint64_t address)
{
    uint64_t mixed = (address ^ (uint64_t)parent << 32 ^ parent) * 0x9E3779B97F4A7C15ull;
    return mixed ^ mixed >> 29;
}

/* Adds a node that the look-up missed. At the memory limit: `parent`, and `*merged` is set. */
GM_COLD uint32_t calltree_add(uint32_t parent, uint64_t address, bool *merged);

/* The node of a frame below its caller's; added when it is new. Most are among the children looked up last; others are in the
 * index, at the price of a cache line that nothing else brings in. */
GM_INLINE uint32_t calltree_child(uint32_t parent, uint64_t address, bool *merged)
{
    struct calltree_node *known = &calltree_nodes[parent];
    /* Acquire pairs with the release below and in calltree_add: the child's address is there. */
    uint32_t first = __atomic_load_n(&known->recent[0], __ATOMIC_ACQUIRE);
    if (GM_LIKELY(calltree_nodes[first].address == address))
        return first;
    uint32_t second = __atomic_load_n(&known->recent[1], __ATOMIC_ACQUIRE);
    if (calltree_nodes[second].address == address)
        return second;

    struct calltree_index *index = __atomic_load_n(&calltree_index, __ATOMIC_ACQUIRE);
    for (uint64_t i = calltree_hash(parent, address);; i++) {
        struct calltree_entry *entry = &index->entries[i & index->mask];
        uint32_t node = __atomic_load_n(&entry->node, __ATOMIC_ACQUIRE);
        if (GM_LIKELY(node != 0 && entry->address == address && entry->parent == parent)) {
            __atomic_store_n(&known->recent[1], first, __ATOMIC_RELEASE);
            __atomic_store_n(&known->recent[0], node, __ATOMIC_RELEASE);
            return node;
        }
        if (node == 0)
            return calltree_add(parent, address, merged);
    }
}

bool calltree_start(void);
/* After the trace, of `file_size` bytes before, was made smaller. */
void calltree_shrink(uint64_t file_size);
void calltree_reset(void);

/* Addresses in [start, end) will mean something else: frames there become new nodes when they are met again. */
void calltree_forget(uintptr_t start, uintptr_t end);

#endif
