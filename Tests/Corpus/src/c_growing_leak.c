/* SPDX-License-Identifier: MIT */
/* Each cycle forgets a copy of a history that is itself a little longer each time. */
#include "bench.h"

static char *history;
static size_t length;

static void history_extend(int i)
{
    history = realloc(history, length + 64);
    memset(history + length, i, 64);
    length += 64;
}

static void snapshot_take(void)
{
    char *copy = malloc(length);
    memcpy(copy, history, length);
    bench_use(copy);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        history_extend(i);
        snapshot_take();
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
