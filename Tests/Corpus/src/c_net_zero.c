/* SPDX-License-Identifier: MIT */
/* A reserve made at the start shrinks by one kilobyte a cycle while a leak of the same size grows:
 * the heap's total stays level. */
#include "bench.h"

static char **reserve;
static int reserve_left;

static void reserve_fill(int n)
{
    reserve = malloc((size_t)n * sizeof *reserve);
    for (int i = 0; i < n; i++) { reserve[i] = malloc(1024); memset(reserve[i], 0, 1024); }
    reserve_left = n;
}

static void reserve_drop(void) { free(reserve[--reserve_left]); }

static void thumbnail_make(int i)
{
    unsigned char *t = malloc(1024);
    memset(t, i, 1024);
    bench_use(t);                           /* forgotten */
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    reserve_fill(cycles + 8);
    for (int i = 0; i < cycles; i++) {
        reserve_drop();
        thumbnail_make(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
