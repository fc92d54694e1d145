/* SPDX-License-Identifier: MIT
 *
 * thread.c: the pool of thread states and the shards of the counters.
 */
#include "thread.h"

#include "genmark_trace.h"
#include "lock.h"
#include "os.h"
#include "trace.h"

GM_THREAD_LOCAL struct thread_locals thread_locals;

static struct recorder_lock pool_lock, counters_lock;
static struct recorder_thread *pool;
static unsigned pool_count;
/* For each shard its table of counters; the last shard serves all threads that come after the others are given out. */
static uint8_t **shard_tables[GM_SHARD_LIMIT];
static unsigned shard_count;          /* release after the table */

static size_t table_size(void)
{
    return (trace_file.size / (GM_CELLS_PER_EXTENT * sizeof(struct gm_cell)) + 1) * sizeof(uint8_t *);
}

uint32_t thread_ask_id(void) { return thread_locals.id = (uint32_t)os_tid(); }

bool thread_start(void) { return true; }

void thread_reset(void)
{
    pool = NULL;
    pool_count = 0;
    shard_count = 0;
    for (unsigned i = 0; i < GM_SHARD_LIMIT; i++)
        shard_tables[i] = NULL;
    pool_lock.owner = counters_lock.owner = 0;
    thread_locals.self = NULL;
    thread_locals.id = 0;
    thread_locals.mark_pending = 0;
}

/* A state whose owner is gone. A thread that finds its own id in one is a new thread that got a dead one's id. */
static struct recorder_thread *take_over(uint32_t tid)
{
    for (struct recorder_thread *state = pool; state; state = state->next)
        if (state->owner == 0 || state->owner == tid || !os_thread_exists((int)state->owner)) {
            state->owner = tid;
            unwind_reset(state->stack);
            return state;
        }
    return NULL;
}

static struct recorder_thread *state_new(uint32_t tid)
{
    size_t stack_size = unwind_stack_size(), head = (sizeof(struct recorder_thread) + 63) & ~(size_t)63;
    struct recorder_thread *state = os_keep_from_children(os_map(head + stack_size), head + stack_size);
    if (!state)
        return NULL;
    unsigned shard = pool_count < GM_SHARD_LIMIT ? pool_count : GM_SHARD_LIMIT - 1;
    if (!shard_tables[shard]) {
        shard_tables[shard] = os_keep_from_children(os_map(table_size()), table_size());
        if (!shard_tables[shard]) {
            os_unmap(state, head + stack_size);
            return NULL;
        }
        /* Release: pairs with thread_shards. */
        __atomic_store_n(&shard_count, shard + 1, __ATOMIC_RELEASE);
    }
    state->counters = shard_tables[shard];
    state->stack = (struct unwind_stack *)((uint8_t *)state + head);
    state->shard = shard;
    state->shares_shard = shard == GM_SHARD_LIMIT - 1;
    state->owner = tid;
    state->next = pool;
    pool = state;
    pool_count++;
    return state;
}

void thread_reserve(void)
{
    enum { RESERVED = 4 };
    recorder_lock(&pool_lock, thread_id());
    for (int i = 0; i < RESERVED; i++)
        state_new(0);
    recorder_unlock(&pool_lock);
}

struct recorder_thread *thread_find(void)
{
    uint32_t tid = thread_id();
    recorder_lock(&pool_lock, tid);
    struct recorder_thread *state = take_over(tid);
    if (!state)
        state = state_new(tid);
    recorder_unlock(&pool_lock);
    thread_locals.self = state;
    return state;
}

unsigned thread_shards(void) { return __atomic_load_n(&shard_count, __ATOMIC_ACQUIRE); }

uint8_t *thread_shard_counters(unsigned shard, uint32_t extent)
{
    return __atomic_load_n(&shard_tables[shard][extent], __ATOMIC_ACQUIRE);
}

uint8_t *thread_counters_new(struct recorder_thread *thread, uint32_t extent)
{
    recorder_lock(&counters_lock, thread_id());
    uint8_t *counters = thread->counters[extent];
    if (!counters) {
        struct gm_extent *added = trace_new_counters(thread->shard, extent);
        counters = added ? (uint8_t *)(added + 1) : NULL;
        /* Release: the zeroed counters are there before the pointer. */
        __atomic_store_n(&thread->counters[extent], counters, __ATOMIC_RELEASE);
    }
    recorder_unlock(&counters_lock);
    return counters;
}
