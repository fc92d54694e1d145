/* SPDX-License-Identifier: MIT */
/* Cycle n forgets n nodes: each visitor is told of all that came before it. */
#include "bench.h"

static void notice_send(int from, int to)
{
    int *notice = malloc(40);
    notice[0] = from;
    notice[1] = to;
    bench_use(notice);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < i; k++) notice_send(k, i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
