/* SPDX-License-Identifier: MIT */
/* A pool that grows by doubling its chunks while the working set rises (14 cycles), and then
 * plateaus: objects go back to the pool's own free list, never to free(). */
#include "bench.h"

struct object { struct object *next; double v[5]; };
struct chunk { struct chunk *next; struct object objects[]; };

static struct chunk *chunks;
static struct object *free_list;
static size_t next_chunk = 16;

static void pool_grow(void)
{
    struct chunk *c = malloc(sizeof *c + next_chunk * sizeof(struct object));
    c->next = chunks;
    chunks = c;
    for (size_t i = 0; i < next_chunk; i++) { c->objects[i].next = free_list; free_list = &c->objects[i]; }
    next_chunk *= 2;
}

static struct object *pool_get(void)
{
    if (!free_list) pool_grow();
    struct object *o = free_list;
    free_list = o->next;
    return o;
}

static void pool_put(struct object *o) { o->next = free_list; free_list = o; }

int main(int argc, char **argv)
{
    static struct object *held[60 * 14];
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        int want = 60 * (i < 14 ? i : 14);
        for (int k = 0; k < want; k++) held[k] = pool_get();
        for (int k = 0; k < want; k++) pool_put(held[k]);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
