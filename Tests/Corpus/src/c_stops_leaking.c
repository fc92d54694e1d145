/* SPDX-License-Identifier: MIT */
/* The first eight visits each leave two records behind; then the list is full and nothing more is kept. */
#include "bench.h"

static void visit_record(int i)
{
    int *record = malloc(72);
    record[0] = i;
    bench_use(record);
}

static void visit(int i)
{
    char *page = malloc(2000);
    memset(page, i, 2000);
    if (i <= 8) { visit_record(i); visit_record(-i); }
    bench_use(page);
    free(page);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        visit(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
