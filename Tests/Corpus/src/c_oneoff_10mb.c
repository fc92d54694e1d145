/* SPDX-License-Identifier: MIT */
/* A 10 MB table is loaded once, in cycle 5, and kept. Nothing else grows. */
#include "bench.h"

static unsigned char *table;

static void table_load(void)
{
    table = malloc(10 * 1024 * 1024);
    memset(table, 7, 10 * 1024 * 1024);
}

static unsigned query(int i)
{
    unsigned *scratch = malloc(256 * sizeof *scratch);
    for (int k = 0; k < 256; k++) scratch[k] = table ? table[(i * 4099 + k) % (10 << 20)] : 0u;
    unsigned r = scratch[i % 256];
    bench_use(scratch);
    free(scratch);
    return r;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    unsigned sum = 0;
    for (int i = 1; i <= cycles; i++) {
        if (i == 5) table_load();
        sum += query(i);
        bench_mark("cycle");
    }
    bench_use(&sum);
    return bench_done(cycles);
}
