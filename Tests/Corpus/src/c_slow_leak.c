/* SPDX-License-Identifier: MIT */
/* One block of 24 bytes a cycle leaks beside 10,000 transient blocks and a population of about
 * 1,000 blocks that moves by up to 200 either way from cycle to cycle. */
#include "bench.h"

static void *population[1200];
static int alive;

static void population_set(int want, unsigned *seed)
{
    while (alive < want) { population[alive] = malloc(32 + bench_rand(seed) % 64); alive++; }
    while (alive > want) {
        int k = (int)(bench_rand(seed) % (unsigned)alive);
        free(population[k]);
        population[k] = population[--alive];
    }
}

static void transient_work(unsigned *seed)
{
    void *batch[100];
    for (int r = 0; r < 100; r++) {
        for (int i = 0; i < 100; i++) { batch[i] = malloc(16 + bench_rand(seed) % 200); bench_use(batch[i]); }
        for (int i = 0; i < 100; i++) free(batch[i]);
    }
}

struct tag { int id; char name[20]; };

static void tag_attach(int id)
{
    struct tag *t = malloc(sizeof *t);
    t->id = id;
    snprintf(t->name, sizeof t->name, "tag-%d", id);
    bench_use(t);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 77;
    for (int i = 0; i < cycles; i++) {
        transient_work(&seed);
        population_set(800 + (int)(bench_rand(&seed) % 401), &seed);
        tag_attach(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
