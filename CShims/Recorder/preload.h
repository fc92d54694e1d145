/* SPDX-License-Identifier: MIT
 *
 * preload.h: our place in LD_PRELOAD: out of this process's environment, so that what it starts is not recorded, and
 * into that of a child that is to be. Which child is which is decided in ../Interpose/process.c.
 *
 * None of these allocates; other preloaded libraries keep their places.
 */
#ifndef GENMARK_PRELOAD_H
#define GENMARK_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>

/* Called once, at the start, with the process's environment and the path of our library as the loader knows it. Remembers
 * what children need to be recorded. `keep`: we stay in LD_PRELOAD (by an absolute path); otherwise we are taken out, in
 * place. GENMARK_OUTPUT becomes absolute. After output_start. */
void preload_start(char **environment, const char *library, bool keep);

/* Bytes that preload_environment needs for a copy of `environment`; 0 when nothing needs to be added or nothing is known
 * that could be. */
size_t preload_room(char *const *environment);

/* A copy of `environment` in `room` (aligned for pointers, preload_room bytes) with what a child needs to be recorded. It
 * points into `environment` and `room`. May run in a vfork child: changes nothing of this process. */
char **preload_environment(char *const *environment, void *room);

#endif
