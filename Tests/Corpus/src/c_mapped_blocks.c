/* SPDX-License-Identifier: MIT */
/* Frames of 300,000 bytes, which malloc maps one by one: three are kept in turn, one of each cycle is forgotten. */
#include "bench.h"

static char *shown[3];

static char *frame_new(void)
{
    char *frame = malloc(300000);
    frame[0] = frame[299999] = 1;
    bench_use(frame);
    return frame;
}

static void frame_show(int i)
{
    free(shown[i % 3]);
    shown[i % 3] = frame_new();
}

static void frame_export(void)
{
    char *copy = frame_new();
    bench_use(copy);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        frame_show(i);
        frame_export();
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
