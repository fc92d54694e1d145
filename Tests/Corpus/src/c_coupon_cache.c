/* SPDX-License-Identifier: MIT */
/* A cache without eviction over a universe of 300 keys. Keys are asked for at random, so new entries
 * become rarer and rarer and then stop: it saturates, it does not grow for ever. */
#include "bench.h"

struct tile { int key; unsigned char pixels[60]; };
static struct tile *tiles[300];

static struct tile *tile_render(int key)
{
    struct tile *t = malloc(sizeof *t);
    t->key = key;
    memset(t->pixels, key, sizeof t->pixels);
    return t;
}

static struct tile *tile_get(int key)
{
    if (!tiles[key]) tiles[key] = tile_render(key);
    return tiles[key];
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 4242;
    for (int i = 0; i < cycles; i++) {
        for (int k = 0; k < 60; k++) bench_use(tile_get((int)(bench_rand(&seed) % 300)));
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
