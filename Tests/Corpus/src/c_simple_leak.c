/* SPDX-License-Identifier: MIT */
/* A note is opened every cycle and closed without freeing its record. */
#include "bench.h"

struct note { int id; char title[60]; };

static struct note *note_open(int id)
{
    struct note *n = malloc(sizeof *n);
    n->id = id;
    snprintf(n->title, sizeof n->title, "note %d", id);
    return n;
}

static void note_close(struct note *n) { n->id = -1; /* the record is forgotten here */ }

static void render_line(int row)
{
    char *line = malloc(80);
    memset(line, ' ' + row % 60, 80);
    bench_use(line);
    free(line);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 0; i < cycles; i++) {
        struct note *n = note_open(i);
        for (int r = 0; r < 25; r++) render_line(r);
        note_close(n);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
