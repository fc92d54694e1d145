/* SPDX-License-Identifier: MIT
 *
 * sandbox.c: notices when a program gives up system calls by seccomp, before it does. What the recorder does about it is in
 * ../Recorder/seccomp.h.
 *
 * A filter that is in force before the program starts, as service managers set them, is not seen; what it refuses
 * with an error is counted as a loss, and one that kills for what the recorder asks at the start forbids recording.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "real.h"

#include "compiler.h"
#include "recorder.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls that cannot succeed are how libraries ask whether there is seccomp at all: those change nothing. */
static bool enters_by_prctl(int option, unsigned long mode, unsigned long filter)
{
    return option == PR_SET_SECCOMP &&
           (mode == SECCOMP_MODE_STRICT || (mode == SECCOMP_MODE_FILTER && filter != 0));
}

static bool enters_by_syscall(long number, unsigned long operation, unsigned long flags, unsigned long filter)
{
    return number == SYS_seccomp &&
           ((operation == SECCOMP_SET_MODE_STRICT && flags == 0 && filter == 0) ||
            (operation == SECCOMP_SET_MODE_FILTER && filter != 0));
}

static GM_COLD void entered(bool confined, bool failed)
{
    int error = errno;
    if (confined && failed)
        recorder_unconfined();
    errno = error;
}

GM_EXPORT int prctl(int option, ...)
{
    va_list rest;
    va_start(rest, option);
    unsigned long a = va_arg(rest, unsigned long), b = va_arg(rest, unsigned long), c = va_arg(rest, unsigned long),
                  d = va_arg(rest, unsigned long);
    va_end(rest);
    if (GM_LIKELY(!enters_by_prctl(option, a, b)))
        return REAL(prctl)(option, a, b, c, d);
    bool confined = recorder_confined(a == SECCOMP_MODE_FILTER ? (const struct sock_fprog *)b : NULL);
    int result = REAL(prctl)(option, a, b, c, d);
    entered(confined, result < 0);
    return result;
}

GM_EXPORT long syscall(long number, ...)
{
    va_list rest;
    va_start(rest, number);
    unsigned long a = va_arg(rest, unsigned long), b = va_arg(rest, unsigned long), c = va_arg(rest, unsigned long),
                  d = va_arg(rest, unsigned long), e = va_arg(rest, unsigned long), f = va_arg(rest, unsigned long);
    va_end(rest);
    if (GM_LIKELY(!enters_by_syscall(number, a, b, c)))
        return REAL(syscall)(number, a, b, c, d, e, f);
    bool confined = recorder_confined(a == SECCOMP_SET_MODE_FILTER ? (const struct sock_fprog *)c : NULL);
    long result = REAL(syscall)(number, a, b, c, d, e, f);
    entered(confined, result < 0);      /* a listener's descriptor is above 0 */
    return result;
}
