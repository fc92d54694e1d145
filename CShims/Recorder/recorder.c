/* SPDX-License-Identifier: MIT
 *
 * recorder.c: the way of a block, top-down: where it was allocated (unwind, call tree), what counts it (cell), where
 * its cell is remembered (live map). Starting, ending and forking are in lifetime.c; each step's details in the file of its
 * name.
 *
 * Every entry sets thread_locals.inside first, so that nothing the recorder does is recorded, and a signal
 * handler that allocates in the midst of it is counted as a loss instead of going astray.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "recorder.h"

#include "calltree.h"
#include "cell.h"
#include "lifetime.h"
#include "livemap.h"
#include "lock.h"
#include "os.h"
#include "recorder_internal.h"
#include "settings.h"
#include "thread.h"
#include "trace.h"

#include <signal.h>
#include <sys/syscall.h>

size_t (*recorder_usable_size)(void *block);
bool recorder_sizes_by_header;

GM_INLINE size_t usable_size(void *block)
{
    return GM_LIKELY(recorder_sizes_by_header) ? recorder_size_in_header(block) : recorder_usable_size(block);
}

/* One thread of the program runs: glibc says so (2.32 and later), and no locked instructions are needed. */
extern char __libc_single_threaded __attribute__((weak));
GM_INLINE bool is_alone(void) { return &__libc_single_threaded != NULL && __libc_single_threaded; }
bool recorder_is_alone(void) { return is_alone(); }

/* Whether the mark that thread_locals.inside leaves is of a frame that is still there. It is not when a signal
 * handler jumped out of the recorder: then the stack has shrunk past it. On an alternate stack nothing can be told. */
static GM_COLD bool is_inside_still(uintptr_t sp)
{
    if (sp <= thread_locals.inside)
        return true;
    stack_t alternate = {.ss_flags = SS_DISABLE};
    os_call(SYS_sigaltstack, 0, (long)&alternate, 0, 0, 0, 0);
    return (alternate.ss_flags & SS_ONSTACK) != 0;
}

/* Enters; false when the thread is in already. The compiler must not move the recorder's work before the store or after the
 * one in leave(): a signal handler of this thread looks at it. */
GM_INLINE bool enter(uintptr_t sp)
{
    if (GM_UNLIKELY(thread_locals.inside != 0) && is_inside_still(sp))
        return false;
    thread_locals.inside = sp;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return true;
}

static GM_COLD void take_pending_mark(void);

GM_INLINE void leave(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread_locals.inside = 0;
    if (GM_UNLIKELY(thread_locals.mark_pending != 0))
        take_pending_mark();
}

GM_INLINE struct recorder_thread *self(void)
{
    struct recorder_thread *thread = thread_locals.self;
    return GM_LIKELY(thread != NULL) ? thread : thread_find();
}

static GM_COLD uint32_t outermost_node(uint32_t flags, uint64_t *path, bool *merged)
{
    uint64_t address = flags & UNWIND_CUT ? GM_ADDRESS_CUT : GM_ADDRESS_BROKEN;
    trace_count_loss(flags & UNWIND_CUT ? GM_LOSS_STACKS_CUT : GM_LOSS_STACKS_BROKEN, 1);
    *path = calltree_path(0, address);
    return calltree_child(0, address, *path, merged);
}

/* GENMARK_VERIFY: the stack as the call tree now has it, against libunwind's. */
static GM_COLD void verify(uint32_t site, const struct recorder_caller *caller)
{
    static uint64_t addresses[UNWIND_DEPTH_LIMIT + 1];
    static struct recorder_lock lock;
    recorder_lock(&lock, thread_id());
    uint32_t count = 0, flags = 0;
    for (uint32_t node = site; node != 0 && count <= UNWIND_DEPTH_LIMIT; node = trace_node(node)->parent) {
        uint64_t address = trace_node(node)->address;
        if (address >= GM_ADDRESS_SPECIAL_END)
            addresses[count++] = address;
        else
            flags = address == GM_ADDRESS_CUT ? UNWIND_CUT : UNWIND_BROKEN;
    }
    for (uint32_t i = 0; i < count / 2; i++) {
        uint64_t swap = addresses[i];
        addresses[i] = addresses[count - 1 - i];
        addresses[count - 1 - i] = swap;
    }
    struct unwind_walk walk = {.addresses = addresses, .count = count, .flags = flags};
    gm_add_u64(&trace_header()->verified_stacks, 1);
    if (!unwind_verify(&walk, caller->pc, (uintptr_t)(caller + 1), caller->bp))
        trace_count_loss(GM_LOSS_VERIFY, 1);
    recorder_unlock(&lock);
}

/* What is noted of a known stack: its cell for a birth, as in cell_current; nothing when there was no room for a cell. */
GM_INLINE uint64_t cell_note(uint32_t birth, uint32_t cell)
{
    return GM_LIKELY(cell != 0) ? ((uint64_t)birth + 1) << 32 | cell : 0;
}

/* The cell of a block that is born at a caller whose stack must be walked. Only frames that are not those of the thread's last
 * walk are looked up. */
static __attribute__((noinline)) uint32_t cell_by_walk(struct recorder_thread *thread, const struct recorder_caller *caller,
                                                       uint32_t birth)
{
    struct unwind_walk walk;
    unwind_walk(thread->stack, caller->pc, (uintptr_t)(caller + 1), caller->bp, &walk);
    bool merged = false;
    uint32_t node = 0;
    uint64_t path = 0;
    if (GM_LIKELY(walk.kept > 0)) {
        node = walk.nodes[walk.kept - 1];
        path = walk.paths[walk.kept - 1];
    } else if (walk.flags != 0) {
        node = outermost_node(walk.flags, &path, &merged);
    }
    for (uint32_t i = walk.kept; i < walk.count; i++) {
        walk.paths[i] = path = calltree_path(path, walk.addresses[i]);
        calltree_fetch(path);
    }
    for (uint32_t i = walk.kept; i < walk.count; i++)
        walk.nodes[i] = node = calltree_child(node, walk.addresses[i], walk.paths[i], &merged);
    uint32_t cell = cell_of(node, birth);
    if (GM_UNLIKELY(merged))
        trace_count_loss(GM_LOSS_STACKS_MERGED, 1);
    else
        unwind_remember(thread->stack, &walk, (struct unwind_leaf){cell_note(birth, cell), node});
    if (GM_UNLIKELY(settings.verify))
        verify(node, caller);
    return cell;
}

/* The cell of a block that is born now. */
GM_INLINE uint32_t birth_cell(struct recorder_thread *thread, const struct recorder_caller *caller)
{
    uint32_t birth = gm_load_acquire_u32(&trace_header()->birth);
    struct unwind_leaf *leaf = unwind_known(thread->stack, caller->pc, (uintptr_t)(caller + 1), caller->bp);
    if (GM_UNLIKELY(leaf == NULL))
        return cell_by_walk(thread, caller, birth);
    if (GM_UNLIKELY(leaf->note >> 32 != (uint64_t)birth + 1))
        leaf->note = cell_note(birth, cell_of(leaf->node, birth));
    if (GM_UNLIKELY(settings.verify))
        verify(leaf->node, caller);
    return (uint32_t)leaf->note;
}

void recorder_born(void *block, size_t size, const struct recorder_caller *caller)
{
    if (!enter((uintptr_t)caller)) {
        trace_count_loss(GM_LOSS_BLOCKS_REENTRANT, 1);
        return;
    }
    struct recorder_thread *thread = self();
    uint32_t *region = livemap_region((uintptr_t)block), cell = 0;
    /* Asked for early: the cache line may be another processor's, or in no cache. Without a region it is some other address, which
     * does no harm. */
    __builtin_prefetch(region + livemap_granule((uintptr_t)block), 1);
    if (GM_LIKELY(thread != NULL))
        cell = birth_cell(thread, caller);
    if (GM_LIKELY(cell != 0 && cell_add(thread, cell, CELL_BORN, 1, size))) {
        if (GM_UNLIKELY(!livemap_put_in(region, block, cell, size, usable_size(block), recorder_sizes_by_header))) {
            /* Not to be found again when it is freed: take it back, and say so. */
            cell_add(thread, cell, CELL_FREED, 1, size);
            cell = 0;
        }
    } else {
        cell = 0;
    }
    if (GM_UNLIKELY(cell == 0))
        trace_count_loss(GM_LOSS_BLOCKS_MEMORY, 1);
    leave();
}

/* After so many frees of a thread the live map is looked after: a heap that has shrunk needs less of it. At marks after fewer. */
enum { FREES_BETWEEN_SWEEPS = 1 << 16, FREES_BEFORE_MARK = 1 << 14 };

static GM_COLD void sweep(void)
{
    thread_locals.frees = 0;
    livemap_sweep();
}

/* What livemap_take left open: the size where it is not in the side table. */
GM_INLINE size_t taken_size(void *block, uint32_t slack, size_t aside)
{
    return GM_LIKELY(slack != LIVEMAP_SLACK_ASIDE) ? usable_size(block) - slack : aside;
}

static GM_COLD void count_freed(uint32_t cell, size_t size)
{
    struct recorder_thread *thread = self();
    if (GM_UNLIKELY(!thread || !cell_add(thread, cell, CELL_FREED, 1, size)))
        trace_count_loss(GM_LOSS_BLOCKS_MEMORY, 1);
}

void recorder_count_freed(uint32_t cell, size_t size) { count_freed(cell, size); }

GM_INLINE void freed_usually(struct recorder_thread *thread, uint32_t cell, size_t size)
{
    if (GM_UNLIKELY(!cell_add(thread, cell, CELL_FREED, 1, size)))
        trace_count_loss(GM_LOSS_BLOCKS_MEMORY, 1);
}

/* In a signal handler that came while this thread was inside the recorder: the entry must go, but nothing may be made, since
 * the thread may hold the lock of the trace. */
static GM_COLD void freed_inside(void *block)
{
    uint32_t slack;
    size_t aside = 0;
    uint32_t cell = livemap_take(block, &slack, &aside);
    struct recorder_thread *thread = thread_locals.self;
    if (cell == 0)
        gm_add_u64(&trace_header()->foreign_frees, 1);
    else if (thread && thread->counters[cell / GM_CELLS_PER_EXTENT])
        cell_add(thread, cell, CELL_FREED, 1, taken_size(block, slack, aside));
    else
        trace_count_loss(GM_LOSS_BLOCKS_REENTRANT, 1);
}

static GM_COLD void freed_aside(void *block)
{
    uint32_t slack;
    size_t aside = 0;
    uint32_t cell = livemap_take_aside(block, &slack, &aside);
    if (cell != 0)
        count_freed(cell, taken_size(block, slack, aside));
    else
        gm_add_u64(&trace_header()->foreign_frees, 1);
}

void recorder_freed(void *block)
{
    /* No look at the stack: only whether this thread is inside matters. */
    if (GM_UNLIKELY(thread_locals.inside != 0)) {
        freed_inside(block);
        return;
    }
    thread_locals.inside = (uintptr_t)__builtin_frame_address(0);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);

    uint32_t word = livemap_take_shadow((uintptr_t)block);
    struct recorder_thread *thread = thread_locals.self;
    if (GM_LIKELY(word != 0 && thread != NULL))
        freed_usually(thread, livemap_word_cell(word), usable_size(block) - livemap_word_slack(word));
    else if (word != 0)
        recorder_count_freed(livemap_word_cell(word), usable_size(block) - livemap_word_slack(word));
    else
        freed_aside(block);
    if (GM_UNLIKELY(++thread_locals.frees >= FREES_BETWEEN_SWEEPS))
        sweep();

    leave();
}

struct recorder_taken recorder_take(void *block)
{
    uint32_t slack;
    struct recorder_taken taken = {0, 0};
    taken.cell = livemap_take(block, &slack, &taken.size);
    if (taken.cell != 0)
        taken.size = taken_size(block, slack, taken.size);
    return taken;
}

void recorder_put(void *block, size_t size, struct recorder_taken was)
{
    uintptr_t outer = thread_locals.inside;
    if (outer == 0)
        thread_locals.inside = (uintptr_t)__builtin_frame_address(0);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);

    struct recorder_thread *thread = self();
    bool counted = thread != NULL;
    if (counted && size > was.size) {
        counted = cell_add(thread, was.cell, CELL_BORN, 0, size - was.size);
        gm_add_u32(&trace_cell(was.cell)->grown, 1);
    } else if (counted && size < was.size) {
        counted = cell_add(thread, was.cell, CELL_FREED, 0, was.size - size);
    }
    if (!counted)
        trace_count_loss(GM_LOSS_BLOCKS_MEMORY, 1);
    if (!livemap_put(block, was.cell, size, usable_size(block), recorder_sizes_by_header)) {
        recorder_count_freed(was.cell, size);
        trace_count_loss(GM_LOSS_BLOCKS_MEMORY, 1);
    }

    if (outer == 0)
        leave();
}

/* Marks. */

static bool take_mark(const char *label, size_t length, uint64_t held_bytes, uint32_t flags)
{
    if (thread_locals.frees >= FREES_BEFORE_MARK)
        sweep();
    struct gm_sample sample = lifetime_sample();
    sample.held_bytes = held_bytes;
    sample.flags = flags;
    return gm_mark_take(&trace_file, label, length, &sample, thread_id()) != 0;
}

bool recorder_mark(const char *label, size_t length) { return recorder_mark_holding(label, length, 0); }

bool recorder_mark_holding(const char *label, size_t length, uint64_t held_bytes)
{
    if (!recorder_is_active())
        return false;
    if (!enter((uintptr_t)__builtin_frame_address(0))) {
        trace_count_loss(GM_LOSS_MARKS, 1);
        return false;
    }
    bool taken = take_mark(label, length, held_bytes, 0);
    leave();
    return taken;
}

static const char signal_label[] = "signal";

static GM_COLD void take_pending_mark(void)
{
    /* One signal, one mark: those that came while inside have been counted. */
    uint32_t count = __atomic_exchange_n(&thread_locals.mark_pending, 0, __ATOMIC_RELAXED);
    thread_locals.inside = (uintptr_t)__builtin_frame_address(0);
    while (count-- > 0)
        take_mark(signal_label, sizeof signal_label - 1, 0, GM_MARK_SIGNAL);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread_locals.inside = 0;
}

void recorder_mark_from_signal(void)
{
    if (!recorder_is_active())
        return;
    __atomic_fetch_add(&thread_locals.mark_pending, 1, __ATOMIC_RELAXED);
    if (thread_locals.inside == 0)
        take_pending_mark();
}

/* The recorder's own allocations (dlopen of libunwind at the start). */
bool recorder_is_inside(void) { return thread_locals.inside != 0; }
void recorder_enter(void) { thread_locals.inside = (uintptr_t)__builtin_frame_address(0); }
void recorder_leave(void) { leave(); }
