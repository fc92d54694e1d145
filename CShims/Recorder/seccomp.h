/* SPDX-License-Identifier: MIT
 *
 * seccomp.h: the filters that the program has put on its own system calls, and on ours with them: each is kept, and every
 * system call of the recorder is put to it first. What a filter would not simply allow is not made: the recorder goes on with
 * what it has, and counts what it loses. When filters are installed is noticed in ../Interpose/sandbox.c.
 *
 * Filters that were in force before the program began can not be read, and are not known here.
 */
#ifndef GENMARK_SECCOMP_H
#define GENMARK_SECCOMP_H

#include <stdbool.h>
#include <stdint.h>

struct sock_fprog;
struct sock_filter;

/* Keeps a copy of a filter, or of strict mode (NULL). False when there was nothing to read or no memory for it: then it counts as
 * one that allows nothing at all. Outside the hooks. */
bool seccomp_add(const struct sock_fprog *filter);
/* From here on every system call of the recorder is put to those that are kept. */
void seccomp_obey(void);
/* Forgets the newest one: the program could not install it. */
void seccomp_take_back(void);
/* Whether there is any. */
bool seccomp_is_filtered(void);
/* Whether all that are kept allow a call. Async-signal-safe: yes. */
bool seccomp_allows(long number, const uint64_t arguments[6]);

/* What one filter says of a call: SECCOMP_RET_…; SECCOMP_RET_KILL_PROCESS when it can not be told without the kernel. */
uint32_t seccomp_run(const struct sock_filter *code, uint32_t length, long number, const uint64_t arguments[6]);

#endif
