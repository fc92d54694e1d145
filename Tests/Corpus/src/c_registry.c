/* SPDX-License-Identifier: MIT */
/* Objects that a global registry still points to, though nobody will ask for them again: object, name and properties. */
#include "bench.h"

struct object { struct object *next; char *name; double *properties; };
static struct object *registry[31];

static void object_init(struct object *o, int i)
{
    o->name = malloc(32);
    snprintf(o->name, 32, "object %d", i);
    o->properties = calloc(8, sizeof *o->properties);
}

static struct object *object_new(int i)
{
    struct object *o = malloc(sizeof *o);
    object_init(o, i);
    o->next = registry[i % 31];
    registry[i % 31] = o;
    return o;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        bench_use(object_new(2 * i));
        bench_use(object_new(2 * i + 1));
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
