/* SPDX-License-Identifier: MIT
 *
 * recorder.h: what the interposer tells the recorder: a block was born, will be freed, has moved. The way from
 * these calls to counts in the trace is in recorder.c; start, end and fork in fork.h.
 *
 * Callers: only ../Interpose (and unit tests). Any thread, any time, also in signal handlers and while other
 * constructors run. None of these touches errno. None calls into the loader.
 */
#ifndef GENMARK_RECORDER_H
#define GENMARK_RECORDER_H

#include "compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One private page, zeroed by the kernel in the child of a fork: that is how a fork is seen, without a hook and
 * without asking for the pid. `active` is set (release) when a trace is ready to be written to. */
struct recorder_gate {
    uint32_t active;
    uint32_t started;      /* recorder_start ran in this process */
};
extern struct recorder_gate *recorder_gate GM_HIDDEN;      /* never NULL: points at a zeroed static before the start */

/* Whether a hook has anything to do. When false the interposer passes the call on; recorder_wake() then tells a child
 * that follows its parent to begin its own trace (cheap when there is nothing to do). */
GM_INLINE bool recorder_is_active(void) { return GM_LIKELY(__atomic_load_n(&recorder_gate->active, __ATOMIC_RELAXED)); }

/* Reads the settings and begins recording if this process is to be recorded. Called once, from the constructor
 * of libgenmark.so (or from the first allocation that comes before it). */
void recorder_start(void);

/* First allocation in the child of a fork: begins its own trace when settings say so. Call when not active and
 * recorder_start has run. Returns whether recording is active now. */
bool recorder_wake(void);

/* The frame of a hook as the compiler lays it out when it keeps a frame pointer, on x86-64 and aarch64 alike: from it, the
 * state of the hook's caller right after the call returned. One pointer, since it is handed on in the hot path. */
struct recorder_caller {
    uintptr_t bp;          /* frame pointer register of the caller */
    uintptr_t pc;          /* return address of the hook; sp, once the hook has returned, is right behind it */
};

/* The caller of the function that expands this; the function must keep a frame pointer
 * (-fno-omit-frame-pointer) and must not be inlined. */
#define RECORDER_CALLER() ((const struct recorder_caller *)__builtin_frame_address(0))

/* A block of `size` requested bytes was given out. Right after the real allocation succeeded; block is not NULL. */
void recorder_born(void *block, size_t size, const struct recorder_caller *caller);

/* A block will be freed. Right before the real free: once that is done, another thread may get the address. */
void recorder_freed(void *block);

/* For realloc: takes a block out of the live map before the real realloc, and puts it back after, at its new address
 * and size, in the same call site and birth. When the realloc failed, put it back at the old ones. */
struct recorder_taken {
    uint32_t cell;         /* 0: the block is not ours */
    size_t size;
};
struct recorder_taken recorder_take(void *block);
void recorder_put(void *block, size_t size, struct recorder_taken was);

/* Takes a mark; `label` need not be terminated. False when it could not be taken (counted as a loss). */
bool recorder_mark(const char *label, size_t length);
/* The same with what the allocator holds from the system, in bytes; 0 not known. */
bool recorder_mark_holding(const char *label, size_t length, uint64_t held_bytes);
/* The same from a signal handler; taken a little later when the thread was inside the recorder. */
void recorder_mark_from_signal(void);

/* The usable size of a block, from the real allocator; set by the interposer before recorder_start. Requested sizes
 * are kept as the difference to it. */
extern size_t (*recorder_usable_size)(void *block) GM_HIDDEN;

/* Whether the usable size stands in front of the block, as glibc writes it: the interposer has compared. Saves two calls for
 * each block; false for any other allocator. */
extern bool recorder_sizes_by_header GM_HIDDEN;

/* glibc's chunk header: the word before the block holds the size of the chunk and three flags, of which 2 says
 * that the chunk is a mapping of its own, with two words of head instead of one. (malloc/malloc.c, "Chunk representation") */
GM_INLINE size_t recorder_size_in_header(const void *block)
{
    size_t word = ((const size_t *)block)[-1];
    if (GM_UNLIKELY(word & 2)) {
        __asm__("");               /* a branch, which costs less than to calculate both */
        return (word & ~(size_t)7) - 2 * sizeof(size_t);
    }
    return (word & ~(size_t)7) - sizeof(size_t);
}

/* Ends: called by the interposer's exit, exec and on_exit hooks, only in the process whose trace it is. */
void recorder_ended(uint32_t kind, int32_t value);
void recorder_resumed(void);
/* True in the process that owns the trace: false in a vfork child, which shares our memory. */
bool recorder_owns_process(void);
/* Right before the process limits its address space or private memory to `space` bytes: gives back what the recorder has
 * reserved beyond a small part of it. What then does not fit is counted as a loss. */
void recorder_limited(uint64_t space);
/* Right before the process gives up system calls (seccomp) by a filter, or by strict mode (NULL). What recording will need and
 * could not get any more is got now, and every system call of the recorder is put to the filter from here on (seccomp.h): what it
 * does not allow is not made, and what is lost by that is counted. False, and nothing done, in a vfork child. recorder_unconfined
 * takes it back, when the program could not give them up. */
struct sock_fprog;
bool recorder_confined(const struct sock_fprog *filter);
void recorder_unconfined(void);
/* Whether that has happened to this process or to one that it was forked from. */
bool recorder_is_confined(void);
/* Around the closing of a library: what was learnt about its addresses is forgotten. The second gets what the first gave. */
bool recorder_library_closing(void);
void recorder_library_closed(bool was_told);

/* True while this thread is inside the recorder: what it allocates then is the recorder's own and is not recorded. */
bool recorder_is_inside(void);
void recorder_enter(void);
void recorder_leave(void);

#endif
