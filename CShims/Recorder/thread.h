/* SPDX-License-Identifier: MIT
 *
 * thread.h: what the recorder keeps for each thread: its last walk and its shard of the counters. No destructor and
 * no thread-specific key: a state outlives its thread and is taken over by a later one, when the kernel no longer
 * knows the owner's id. So hooks work to the very end of a thread, and 10,000 threads cost no more than the
 * most that ran at once.
 */
#ifndef GENMARK_THREAD_H
#define GENMARK_THREAD_H

#include "compiler.h"
#include "unwind.h"

#include <stdbool.h>
#include <stdint.h>

struct recorder_thread {
    uint8_t **counters;            /* by cell / GM_CELLS_PER_EXTENT: dirty bytes, then counters; NULL not yet */
    struct unwind_stack *stack;
    uint32_t shard;
    bool shares_shard;             /* with other threads: counters are added to with locked instructions */
    uint32_t owner;                /* thread id; single writer: the owner, and who takes it over */
    struct recorder_thread *next;  /* all states, newest first; constant once published */
};

struct thread_locals {
    struct recorder_thread *self;  /* NULL until the thread first allocates */
    uintptr_t inside;              /* stack pointer at which it entered the recorder; 0: it is not inside */
    uint32_t id;                   /* thread id; 0 not asked for yet */
    uint32_t mark_pending;         /* a mark signal came while inside */
    uint32_t frees;                /* since this thread last swept the live map */
};
extern GM_THREAD_LOCAL struct thread_locals thread_locals GM_HIDDEN;

/* The calling thread's id, asked for once. */
GM_COLD uint32_t thread_ask_id(void);
GM_INLINE uint32_t thread_id(void) { return GM_LIKELY(thread_locals.id != 0) ? thread_locals.id : thread_ask_id(); }

/* The calling thread's state, found or made; NULL when there is no memory for one. */
GM_COLD struct recorder_thread *thread_find(void);

bool thread_start(void);
/* Makes states for a few threads to come, which may not be able to get one. */
GM_COLD void thread_reserve(void);
/* In the child of a fork, which has one thread. */
void thread_reset(void);

/* Shards in use, and the counters of a cell's extent in one of them; NULL where it has none. */
unsigned thread_shards(void);
uint8_t *thread_shard_counters(unsigned shard, uint32_t extent);
/* Makes the counters of an extent for this thread's shard; NULL at the limit. */
GM_COLD uint8_t *thread_counters_new(struct recorder_thread *thread, uint32_t extent);

#endif
