/* SPDX-License-Identifier: MIT */
/* Rows are gathered and written out when there are fifty: in every eighth or ninth cycle. */
#include "bench.h"

static char *rows[64];
static int count;

static void row_add(int i)
{
    rows[count] = malloc(90);
    memset(rows[count++], i, 90);
}

static void rows_write(void)
{
    while (count) free(rows[--count]);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < 6; k++) {
            row_add(i);
            if (count == 50) rows_write();
        }
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
