/* SPDX-License-Identifier: MIT */
/* A ring of twelve samples of changing size: each cycle writes over the two oldest. */
#include "bench.h"

#define SLOTS 12
static char *ring[SLOTS];
static int next_slot;

static void sample_store(unsigned *seed)
{
    size_t size = 64 + bench_rand(seed) % 512;
    free(ring[next_slot]);
    ring[next_slot] = malloc(size);
    memset(ring[next_slot], 1, size);
    next_slot = (next_slot + 1) % SLOTS;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 77;
    for (int i = 1; i <= cycles; i++) {
        sample_store(&seed);
        sample_store(&seed);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
