/* SPDX-License-Identifier: MIT
 *
 * trace.h: the trace file of this process: creating it, and room in it for each kind of record. What the
 * records mean is in genmark_trace.h; how marks are taken in ../Mark.
 *
 * One trace at a time; after a fork the child starts with none (fork.h).
 */
#ifndef GENMARK_TRACE_FILE_H
#define GENMARK_TRACE_FILE_H

#include "genmark_trace.h"
#include "compiler.h"
#include "genmark_mark.h"

#include <stdbool.h>
#include <stddef.h>

/* The mapping of the trace; base is NULL when there is none. Written before recording begins, constant after. */
extern struct gm_file trace_file GM_HIDDEN;

static inline struct gm_header *trace_header(void) { return (struct gm_header *)trace_file.base; }

/* Creates and maps a trace at `path`, which must not exist. 0 or -errno. `forked`: it begins at a fork. */
int trace_create(const char *path, uint64_t limit, bool forked);
/* Forgets the mapping without touching it (the child of a fork does not have it). */
void trace_forget(void);
/* Takes a trace back that nothing was recorded into. */
void trace_discard(void);
/* Writes down how the program ended and cuts the file to what is used. Recording may go on after it. */
void trace_end(uint32_t kind, int32_t value);
/* For a process that gives up system calls: makes sure of room in the file; cuts it to what is used and as much. */
void trace_reserve(void);
void trace_cut(void);
/* Takes an end back: an exec that failed. */
void trace_resume(void);

/* Bytes of address space or private memory that this process may have; UINT64_MAX without a limit. */
uint64_t trace_space(void);

/* Makes the trace as small as it can be in a process that has `space` bytes; true when that is less than it was. Records have
 * lower ids from then on than fit into trace_file.size. */
bool trace_shrink(uint64_t space);

void trace_count_loss(unsigned kind, uint64_t count);

/* Writes text into the trace; {0,0,0} when there is no room. */
struct gm_string trace_string(const char *text, size_t length);

/* A fresh, zeroed record and its id, or NULL at the limit (then the caller counts the loss). It becomes valid to
 * readers by trace_publish_…, once filled. Each kind's caller holds that kind's own lock. `is_merged`: for what is
 * left without a place of its own (GM_ADDRESS_MERGED), which may go further than the rest. */
struct gm_node *trace_new_node(uint32_t *id, bool is_merged);
void trace_publish_node(uint32_t id);
struct gm_cell *trace_new_cell(uint32_t *id, bool is_merged);
void trace_publish_cell(uint32_t id);
struct gm_module *trace_new_module(uint32_t *id);
void trace_publish_module(uint32_t id);
/* Of a published id. */
extern struct gm_node **trace_node_extents GM_HIDDEN;
GM_INLINE struct gm_node *trace_node(uint32_t id)
{
    return &trace_node_extents[id / GM_NODES_PER_EXTENT][id % GM_NODES_PER_EXTENT];
}
struct gm_cell *trace_cell(uint32_t id);
struct gm_module *trace_module(uint32_t id);
/* The counters extent of a shard that holds `cell`'s extent number (cell / GM_CELLS_PER_EXTENT); new and zeroed. */
struct gm_extent *trace_new_counters(uint32_t shard, uint32_t extent_number);

#endif
