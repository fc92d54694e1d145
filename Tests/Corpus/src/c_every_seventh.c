/* SPDX-License-Identifier: MIT */
/* Every seventh cycle a report of three pages is made and never thrown away. */
#include "bench.h"

static void page_make(int number)
{
    char *page = malloc(700);
    memset(page, number, 700);
    bench_use(page);
}

static void report_make(int i)
{
    for (int page = 0; page < 3; page++) page_make(i + page);
}

static void count(int i)
{
    int *sums = malloc(400);
    sums[i % 100] = i;
    bench_use(sums);
    free(sums);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        count(i);
        if (i % 7 == 0) report_make(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
