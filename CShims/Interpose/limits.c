/* SPDX-License-Identifier: MIT
 *
 * limits.c: notices when a program limits its own address space or private memory. What the recorder has reserved counts
 * against such a limit, and the program would be refused memory that it had without us: so the recorder gives back first.
 * Limits that are in force at the start are seen there (../Recorder/trace.c).
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "real.h"

#include "compiler.h"
#include "os.h"
#include "recorder.h"

#include <errno.h>
#include <stdint.h>
#include <sys/resource.h>

/* glibc has each function by two names, for one and the same struct where rlim_t has 64 bits; its headers, depending on
 * what is asked of them, rename one into the other or give the resource a type of its own. */
_Static_assert(sizeof(rlim_t) == 8, "limits are 64 bits wide");

GM_EXPORT int genmark_setrlimit64(int resource, const struct rlimit *limit) __asm__("setrlimit64");
GM_EXPORT int genmark_setrlimit(int resource, const struct rlimit *limit) __asm__("setrlimit");
GM_EXPORT int genmark_prlimit(pid_t pid, int resource, const struct rlimit *limit, struct rlimit *old) __asm__("prlimit");
GM_EXPORT int genmark_prlimit64(pid_t pid, int resource, const struct rlimit *limit, struct rlimit *old) __asm__("prlimit64");

static void make_room(int resource, const struct rlimit *limit)
{
    if ((resource != RLIMIT_AS && resource != RLIMIT_DATA) || !limit || !recorder_is_active())
        return;
    int before = errno;
    recorder_limited(limit->rlim_cur);
    errno = before;
}

int genmark_setrlimit(int resource, const struct rlimit *limit)
{
    make_room(resource, limit);
    return REAL(setrlimit)(resource, limit);
}

int genmark_setrlimit64(int resource, const struct rlimit *limit) { return genmark_setrlimit(resource, limit); }

int genmark_prlimit(pid_t pid, int resource, const struct rlimit *limit, struct rlimit *old)
{
    if (pid == 0 || pid == os_pid())
        make_room(resource, limit);
    return REAL(prlimit)(pid, resource, limit, old);
}

int genmark_prlimit64(pid_t pid, int resource, const struct rlimit *limit, struct rlimit *old)
{
    return genmark_prlimit(pid, resource, limit, old);
}
