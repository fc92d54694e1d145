/* SPDX-License-Identifier: MIT */
/* A store of thirty that, when full, throws any one of them out for a new one: some stay long. */
#include "bench.h"

#define SLOTS 30
static char *store[SLOTS];
static int filled;

static void store_put(unsigned *seed)
{
    char *value = malloc(110);
    bench_use(value);
    if (filled < SLOTS) {
        store[filled++] = value;
    } else {
        unsigned slot = bench_rand(seed) % SLOTS;
        free(store[slot]);
        store[slot] = value;
    }
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 19;
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < 7; k++) store_put(&seed);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
