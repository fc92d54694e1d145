/* SPDX-License-Identifier: MIT */
/* A pool hands out cells from slabs of 32 and takes them back; up to 150 are in use at a time, another number each cycle. */
#include "bench.h"

struct cell { struct cell *next; char data[56]; };
static struct cell *idle;

static void pool_refill(void)
{
    struct cell *slab = malloc(32 * sizeof *slab);
    for (int k = 0; k < 32; k++) { slab[k].next = idle; idle = &slab[k]; }
}

static struct cell *cell_take(void)
{
    if (!idle) pool_refill();
    struct cell *c = idle;
    idle = c->next;
    return c;
}

int main(int argc, char **argv)
{
    struct cell *used[150];
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 8;
    for (int i = 1; i <= cycles; i++) {
        int want = 40 + (int)(bench_rand(&seed) % 111);
        for (int k = 0; k < want; k++) used[k] = cell_take();
        for (int k = 0; k < want; k++) { used[k]->next = idle; idle = used[k]; }
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
