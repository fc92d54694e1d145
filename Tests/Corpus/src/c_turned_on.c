/* SPDX-License-Identifier: MIT */
/* Tracing is turned on in cycle 6, and from then on four spans a cycle are never handed in. */
#include "bench.h"

static void span_begin(int i)
{
    int *span = malloc(136);
    span[0] = i;
    bench_use(span);
}

static void handle(int i)
{
    char *buffer = malloc(300);
    memset(buffer, i, 300);
    if (i >= 6) for (int k = 0; k < 4; k++) span_begin(i);
    bench_use(buffer);
    free(buffer);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        handle(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
