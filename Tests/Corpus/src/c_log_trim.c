/* SPDX-License-Identifier: MIT */
/* A log in memory: every cycle adds lines, every eighth throws all but the newest away. */
#include "bench.h"

struct line { struct line *older; char text[56]; };
static struct line *newest;
static char *joined;
static size_t joined_size;

static void log_line(int i, int k)
{
    struct line *l = malloc(sizeof *l);
    snprintf(l->text, sizeof l->text, "cycle %d line %d", i, k);
    l->older = newest;
    newest = l;
}

static void joined_append(int i)
{
    joined = realloc(joined, joined_size + 128);
    memset(joined + joined_size, i, 128);
    joined_size += 128;
}

static void log_trim(void)
{
    while (newest && newest->older) {
        struct line *old = newest->older;
        newest->older = old->older;
        free(old);
    }
    joined = realloc(joined, 128);
    joined_size = 128;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < 6; k++) log_line(i, k);
        joined_append(i);
        if (i % 8 == 0) log_trim();
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
