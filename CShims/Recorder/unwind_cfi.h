/* SPDX-License-Identifier: MIT
 *
 * unwind_cfi.h: the rule of one address, read from the unwind tables (.eh_frame) of the object it lies in; and what its code says
 * where they are silent (unwind_code.c). Keeping rules is unwind_rules.h. Nothing here allocates, locks or calls the loader. Async-signal-safe: yes, all.
 */
#ifndef GENMARK_UNWIND_CFI_H
#define GENMARK_UNWIND_CFI_H

#include "unwind_rules.h"

/* `exact`: the rule of the state before the instruction at `pc` (interrupted by a signal), else of the state after the
 * call that returns to `pc`. Addresses without an entry get RULE_GUESS. */
struct unwind_rule unwind_cfi_rule(uintptr_t pc, bool exact);

/* Whether a call instruction ends right before `pc`: what tells a return address from a word that only looks like one.
 * Reads code, after making sure that it can be read. */
bool unwind_follows_call(uintptr_t pc);

/* Whether the code at `pc` is the return from a signal handler as C libraries write it that give it no unwind entry (musl, Go):
 * mov $15,%rax; syscall. */
bool unwind_is_signal_return(uintptr_t pc);

/* Whether eight bytes at the address, which is divisible by eight, can be read. One system call. */
bool unwind_can_read(uintptr_t address);

#endif
