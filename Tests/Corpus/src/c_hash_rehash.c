/* SPDX-License-Identifier: MIT */
/* A hash table that rehashes to twice its size. With "bounded", the keys are drawn from 300; else they are always new. */
#include "bench.h"

struct entry { struct entry *next; unsigned key, value; };
static struct entry **buckets;
static unsigned size, used;

static void table_rehash(unsigned wanted)
{
    struct entry **fresh = calloc(wanted, sizeof *fresh);
    for (unsigned b = 0; b < size; b++) {
        for (struct entry *e = buckets[b], *next; e; e = next) {
            next = e->next;
            e->next = fresh[e->key % wanted];
            fresh[e->key % wanted] = e;
        }
    }
    free(buckets);
    buckets = fresh;
    size = wanted;
}

static void table_put(unsigned key, unsigned value)
{
    struct entry *e = size ? buckets[key % size] : NULL;
    while (e && e->key != key) e = e->next;
    if (!e) {
        if (used >= size) table_rehash(size ? size * 2 : 16);
        e = malloc(sizeof *e);
        e->key = key;
        e->next = buckets[key % size];
        buckets[key % size] = e;
        used++;
    }
    e->value = value;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), bounded = argc > 2 && !strcmp(argv[2], "bounded");
    unsigned seed = 5, next = 0;
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < 60; k++) {
            if (bounded) table_put(bench_rand(&seed) % 300, (unsigned)i);
            else if (k < 12) table_put(next++, (unsigned)i);
        }
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
