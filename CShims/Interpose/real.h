/* SPDX-License-Identifier: MIT
 *
 * real.h: the functions that ours stand in front of: the next ones in the loader's order, be they libc's or those of
 * an allocator that is preloaded behind us. How the hooks use them is in malloc.c and process.c.
 *
 * The table is filled by the first call of any hook, and by the constructor. Until it is known, its entries are
 * functions that fill it and call on; what the loader itself allocates in the meantime comes from a small
 * arena, whose blocks may be freed and reallocated at any later time.
 */
#ifndef GENMARK_REAL_H
#define GENMARK_REAL_H

#include "compiler.h"

#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

/* X(result, name, parameters): the allocator's, which are called on every allocation. */
#define REAL_ALLOCATOR(X) \
    X(void *, malloc, (size_t)) \
    X(void *, calloc, (size_t, size_t)) \
    X(void *, realloc, (void *, size_t)) \
    X(void, free, (void *)) \
    X(int, posix_memalign, (void **, size_t, size_t)) \
    X(void *, aligned_alloc, (size_t, size_t)) \
    X(void *, memalign, (size_t, size_t)) \
    X(void *, valloc, (size_t)) \
    X(void *, pvalloc, (size_t)) \
    X(size_t, malloc_usable_size, (void *))

/* The others, to be called as REAL(name): NULL until they are known, and where libc has none. */
#define REAL_PROCESS(X) \
    X(void, _exit, (int)) \
    X(void, quick_exit, (int)) \
    X(int, daemon, (int, int)) \
    X(int, execve, (const char *, char *const *, char *const *)) \
    X(int, execvpe, (const char *, char *const *, char *const *)) \
    X(int, fexecve, (int, char *const *, char *const *)) \
    X(int, execveat, (int, const char *, char *const *, char *const *, int)) \
    X(int, posix_spawn, (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, \
                         char *const *, char *const *)) \
    X(int, posix_spawnp, (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, \
                          char *const *, char *const *)) \
    X(void *, dlopen, (const char *, int)) \
    X(int, dlclose, (void *)) \
    X(int, prctl, (int, ...)) \
    X(int, setrlimit, (int, const struct rlimit *)) \
    X(int, prlimit, (pid_t, int, const struct rlimit *, struct rlimit *)) \
    X(long, syscall, (long, ...))

struct real_functions {
#define X(result, name, parameters) result(*name) parameters;
    REAL_ALLOCATOR(X)
    REAL_PROCESS(X)
#undef X
    void *(*malloc_found)(size_t);      /* the next malloc, whatever `malloc` is now */
};

/* Written by real_find, before the program has a second thread; constant after. */
extern struct real_functions real __attribute__((visibility("hidden")));

#define REAL(name) (GM_LIKELY(real.name != NULL) ? real.name : (real_find(), real.name))

/* Fills the table. Calls into the loader; only the first call does anything. */
void real_find(void);

/* After look-ups that failed: the program's dlerror() must not tell of an error that is ours. Calls into the loader. */
void real_forget_error(void);

/* Whether a block is one of the arena's: ours, and no one else's to look into. */
bool real_is_arena_block(const void *block);

#endif
