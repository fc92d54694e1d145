/* SPDX-License-Identifier: MIT */
/* Of ten calls a cycle, each fails with a chance of one in four and then forgets its ticket, of 24 to 87 bytes. */
#include "bench.h"

static void call(unsigned *seed)
{
    char *ticket = malloc(24 + bench_rand(seed) % 64);
    bench_use(ticket);
    if (bench_rand(seed) % 4) free(ticket);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 41;
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < 10; k++) call(&seed);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
