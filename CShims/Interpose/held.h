/* SPDX-License-Identifier: MIT
 *
 * held.h: how much the allocator holds from the system, beside what the program uses of it: for marks.
 */
#ifndef GENMARK_HELD_H
#define GENMARK_HELD_H

#include <stdint.h>

/* Finds the allocator's own count. Call after the real functions are known, once, when they are libc's. */
void held_start(void);

/* Bytes, free ones and mapped blocks included; 0 where not known: another allocator, a libc without mallinfo2, or asked too
 * soon again where asking takes long, or while signals are blocked, as in a signal handler. Takes the locks of the allocator's
 * arenas one after the other: not with a lock of ours. Does not allocate. */
uint64_t held_bytes(void);

#endif
