/* SPDX-License-Identifier: MIT
 *
 * unwind.h: the call stack of the running thread as return addresses. Rules learnt from unwind tables are in
 * unwind_rules.c, libunwind as the authority in unwind_libunwind.c, which object an address lies in in module.h.
 */
#ifndef GENMARK_UNWIND_H
#define GENMARK_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNWIND_DEPTH_LIMIT = 1024 };

/* Why a walk is not complete. */
enum {
    UNWIND_CUT = 1,        /* deeper than the limit: the innermost frames are there, at least a quarter of the limit */
    UNWIND_BROKEN = 2      /* ended at a frame that could not be stepped out of */
};

/* One thread's last walk, kept so that the next one need only look at what has changed. Zeroed memory is a valid
 * empty one. About 290 KiB, of which only what is deep enough is touched. */
struct unwind_stack;
size_t unwind_stack_size(void);

/* What a walk found. frames are outermost first; those before `kept` are the same frames of the same calls as in
 * the thread's walk before, with `nodes` as the caller stored them then. The caller stores the nodes of new frames from the
 * outermost to the innermost; a frame whose node is still 0 (none was stored) is not counted as kept the next time. */
struct unwind_walk {
    uint64_t *addresses;   /* return addresses */
    uint64_t *paths;       /* the caller's: a hash of the addresses down to each frame; of kept frames, as the caller stored it */
    uint32_t *nodes;       /* the caller's: call tree node of each frame; 0 for new frames */
    uint32_t count;
    uint32_t kept;
    uint32_t flags;        /* UNWIND_…; when flags differ from the walk before, kept is 0 */
};

/* What the caller knows of a whole stack, kept for it until the same stack comes again. */
struct unwind_leaf {
    uint64_t note;         /* the caller's; 0 when new */
    uint32_t node;         /* of the innermost frame; 0: not told yet */
};

/* Called once, outside any hook, before the first walk: learns what there is to know of the system, loads libunwind
 * privately (RTLD_LOCAL). False when it is not to be had: walks then end, flagged, at frames that our own rules cannot
 * express. Allocates; the caller is `inside`. */
bool unwind_start(bool verify, uint32_t max_depth);

/* The short way: what was remembered of a walk that began in the same state and went the same way, if that is still known and
 * can be proved without a look at any rule; else NULL, and only unwind_walk can tell. */
struct unwind_leaf *unwind_known(struct unwind_stack *stack, uintptr_t pc, uintptr_t sp, uintptr_t bp);

/* Walks from the state (pc, sp, bp) of the function that called malloc. No allocation, no lock but that of the rule
 * table on a miss, no loader. A thread that leaves it by a longjmp leaves the stack valid. Async-signal-safe: yes. */
void unwind_walk(struct unwind_stack *stack, uintptr_t pc, uintptr_t sp, uintptr_t bp, struct unwind_walk *walk);

/* Remembers a leaf for the walk that the stack's thread did last, its nodes being stored: from the second time on that the same
 * node comes, since most stacks of a large program come once. */
void unwind_remember(struct unwind_stack *stack, const struct unwind_walk *walk, struct unwind_leaf leaf);

/* Compares a walk with libunwind's own of the same moment (GENMARK_VERIFY). True when equal, or when libunwind is not
 * there. Slow, and takes the loader's lock. */
bool unwind_verify(const struct unwind_walk *walk, uintptr_t pc, uintptr_t sp, uintptr_t bp);

/* Addresses in [start, end) may mean something else now: forget rules; every thread's kept frames are
 * dropped at its next walk (an epoch). */
void unwind_forget(uintptr_t start, uintptr_t end);

/* Around the closing of a library. Until it is over, another thread may load one at the same addresses and allocate below it
 * before we have heard that the old one is gone: so nothing kept is believed, and unwind_recheck is asked for each frame. */
void unwind_closing(bool begins);
/* True, and all of it forgotten, when what is known of an address is of an object that is not there any more. Set before recording
 * begins. */
extern bool (*unwind_recheck)(uintptr_t address);

/* Before a stack's memory is used for another thread. */
void unwind_reset(struct unwind_stack *stack);

/* In the child of a fork: locks that a thread of the parent may have held. */
void unwind_after_fork(void);

#endif
