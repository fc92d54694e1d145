/* SPDX-License-Identifier: MIT
 *
 * genmark_syscall.h: one raw system call. Not libc's syscall(): that writes errno, and a program may hook it.
 */
#ifndef GENMARK_SYSCALL_H
#define GENMARK_SYSCALL_H

#include <stdint.h>
#include <sys/syscall.h>

/* Where a program has given up system calls (seccomp), decides about each of ours: makes it, or returns what is to be had without;
 * NULL: all are allowed. Set once, by the recorder. Defined in extent.c. */
extern long (*gm_syscall_gate)(long number, const uint64_t arguments[6]) __attribute__((visibility("hidden")));

/* The kernel's result, or -errno. Asks nobody. */
static inline long gm_syscall_raw(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#else
#error "genmark knows the system calls of x86-64 and aarch64"
#endif
}

/* The kernel's result, or -errno. */
static inline long gm_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    long (*gate)(long, const uint64_t[6]) = __atomic_load_n(&gm_syscall_gate, __ATOMIC_ACQUIRE);
    if (__builtin_expect(gate == 0, 1))
        return gm_syscall_raw(number, a, b, c, d, e, f);
    const uint64_t arguments[6] = {(uint64_t)a, (uint64_t)b, (uint64_t)c, (uint64_t)d, (uint64_t)e, (uint64_t)f};
    return gate(number, arguments);
}

/* Id of the calling thread: what owns the lock of a trace. */
static inline uint32_t gm_thread_id(void) { return (uint32_t)gm_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0); }

#endif
