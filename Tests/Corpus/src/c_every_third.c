/* SPDX-License-Identifier: MIT */
/* An editor takes a checkpoint on every third cycle and never drops it. */
#include "bench.h"

static char document[96];

static void edit(int i)
{
    char *undo = malloc(sizeof document);
    memcpy(undo, document, sizeof document);
    document[i % (int)sizeof document] ^= (char)i;
    bench_use(undo);
    free(undo);
}

static void checkpoint_take(void)
{
    char *copy = malloc(sizeof document);
    memcpy(copy, document, sizeof document);
    bench_use(copy);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        edit(i);
        if (i % 3 == 0) checkpoint_take();
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
