/* SPDX-License-Identifier: MIT
 *
 * held.c: see held.h. glibc's mallinfo2 (2.33 and later) walks the free lists of every arena, which takes
 * microseconds in most programs and milliseconds in those with very many free blocks.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "held.h"

#include "os.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>

/* As glibc's struct mallinfo2, so that older headers will do. */
struct held_info {
    size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};

enum {
    LONG_NS = 200 * 1000,       /* an answer that takes longer is not asked for at every mark, */
    REST = 50                   /* but after so many times as long: at most 2 % of the time goes there */
};

static struct held_info (*ask)(void);
static uint64_t not_before_ns;

void held_start(void) { *(void **)&ask = dlsym(RTLD_NEXT, "mallinfo2"); }

/* A signal that interrupted malloc has left an arena locked by this very thread. The kernel blocks a signal while its handler
 * runs, unless SA_NODEFER was asked for. */
static bool may_be_in_handler(void)
{
    uint64_t blocked = 0;
    long result = os_call(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&blocked, sizeof blocked, 0, 0);
    return result != 0 || blocked != 0;
}

uint64_t held_bytes(void)
{
    if (!ask || may_be_in_handler())
        return 0;
    uint64_t begun = os_monotonic_ns();
    if (begun < __atomic_load_n(&not_before_ns, __ATOMIC_RELAXED))
        return 0;
    struct held_info info = ask();
    uint64_t took = os_monotonic_ns() - begun;
    if (took > LONG_NS)
        __atomic_store_n(&not_before_ns, begun + took * REST, __ATOMIC_RELAXED);
    return (uint64_t)info.arena + info.hblkhd;
}
