/* SPDX-License-Identifier: MIT */
/* LeakBench: what every C and C++ program shares. */
#ifndef BENCH_H
#define BENCH_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif
extern void genmark_mark(const char *label) __attribute__((weak));
#ifdef __cplusplus
}
#endif
static inline void bench_mark(const char *label) { if (genmark_mark) genmark_mark(label); }
static inline int bench_cycles(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40;
    return n > 0 ? n : 40;
}
static inline int bench_done(int n) { printf("done %d\n", n); fflush(stdout); return 0; }
/* Make the compiler believe that p is used, so that no allocation is optimised away. */
static inline void bench_use(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
/* A small seeded generator: the same numbers on every machine. */
static inline unsigned bench_rand(unsigned *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s >> 8;
}
#endif
