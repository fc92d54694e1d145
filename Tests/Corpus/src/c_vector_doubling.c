/* SPDX-License-Identifier: MIT */
/* A scratch vector that doubles when a cycle needs more than ever before. Needs rise up to cycle 12
 * and wander below that height afterwards: the buffer stops growing. */
#include "bench.h"

static int *items;
static size_t count, capacity;

static void vector_push(int v)
{
    if (count == capacity) {
        capacity = capacity ? 2 * capacity : 8;
        items = realloc(items, capacity * sizeof *items);
        if (!items) abort();
    }
    items[count++] = v;
}

static char *line;
static size_t line_cap;

static void line_reserve(size_t n)
{
    if (n > line_cap) {
        line_cap = n;                       /* exact fit: it creeps up until the longest line came by */
        line = realloc(line, line_cap);
        if (!line) abort();
    }
    memset(line, 'x', n);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 31;
    for (int i = 1; i <= cycles; i++) {
        int need = i <= 12 ? 100 * i : 200 + (int)(bench_rand(&seed) % 1000);
        for (int k = 0; k < need; k++) vector_push(k);
        line_reserve(i <= 12 ? 40 + 30 * (size_t)i : 100 + bench_rand(&seed) % 300);
        bench_use(items);
        count = 0;
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
