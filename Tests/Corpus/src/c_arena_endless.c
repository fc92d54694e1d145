/* SPDX-License-Identifier: MIT */
/* Names are kept for ever, in a list whose array doubles: the array grows with what fills it. */
#include "bench.h"

static char **names;
static size_t count, capacity;

static void list_grow(void)
{
    capacity = capacity ? capacity * 2 : 4;
    names = realloc(names, capacity * sizeof *names);
}

static void name_add(int i)
{
    if (count == capacity) list_grow();
    names[count] = malloc(30);
    snprintf(names[count++], 30, "name %d", i);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < 5; k++) name_add(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
