/* SPDX-License-Identifier: MIT */
/* A recursive parser leaks one error note a cycle, at a depth that differs from cycle to cycle: the
 * leaking function is the same, the full stack hardly ever is. */
#include "bench.h"

struct diag { int depth; char text[36]; };

static struct diag *diag_new(int depth)
{
    struct diag *d = malloc(sizeof *d);
    d->depth = depth;
    snprintf(d->text, sizeof d->text, "unexpected token at %d", depth);
    return d;
}

static int parse_group(int depth, int limit);

static int parse_item(int depth, int limit)
{
    char *token = malloc(16);
    snprintf(token, 16, "t%d", depth);
    int r = parse_group(depth + 1, limit);
    bench_use(token);
    free(token);
    return r + 1;
}

static int parse_group(int depth, int limit)
{
    if (depth >= limit) {
        struct diag *d = diag_new(depth);
        bench_use(d);                       /* forgotten */
        return depth;
    }
    int r = depth % 2 ? parse_item(depth, limit) : parse_group(depth + 1, limit);
    return r + 1;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    unsigned seed = 9;
    for (int i = 0; i < cycles; i++) {
        n += parse_group(0, 2 + (int)(bench_rand(&seed) % 37));
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
