/* SPDX-License-Identifier: MIT
 *
 * unwind_libunwind.h: libunwind, loaded into a scope of its own, for the frames that our rules cannot express and for
 * checking walks. Both start from the running function, so that all registers are right, and step out to the caller
 * of malloc. Slow, and libunwind takes the loader's lock when it meets code for the first time.
 */
#ifndef GENMARK_UNWIND_LIBUNWIND_H
#define GENMARK_UNWIND_LIBUNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unwind_state {
    uintptr_t pc, sp, bp;
    bool interrupted;      /* pc was interrupted by a signal and not returned to */
};

/* Outside any hook. Allocates. False when there is no libunwind that we can use. */
bool libunwind_load(void);
bool libunwind_loaded(void);
/* Before a sandbox is entered: gives libunwind up when it might make a system call there that is not allowed. */
void libunwind_confine(void);

/* The caller's state of the frame whose state is (pc, sp). False when there is none or libunwind does not find it. */
bool libunwind_step(uintptr_t pc, uintptr_t sp, struct unwind_state *caller);

/* Whether a walk from the frame (pc, sp) outwards gives exactly these return addresses, outermost first; `cut`: there may
 * be more further out. True when libunwind is not loaded. */
bool libunwind_agrees(const uint64_t *addresses, size_t count, bool cut, uintptr_t pc, uintptr_t sp);

/* What it has cached of addresses in the range is not true any more. */
void libunwind_forget(uintptr_t start, uintptr_t end);

#endif
