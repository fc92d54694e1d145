/* SPDX-License-Identifier: MIT */
/* Every cycle a new frame replaces the frame before the last: two frames are alive at any time, and
 * they are always young. Nothing grows. */
#include "bench.h"

static unsigned char *front, *back;

static unsigned char *frame_new(int i)
{
    unsigned char *f = malloc(64 * 1024);
    memset(f, i, 64 * 1024);
    return f;
}

static char *caption;

static void caption_set(int i)
{
    char *c = malloc(24 + (size_t)(i % 9) * 8);   /* its size varies, its number does not */
    sprintf(c, "frame %d", i);
    free(caption);
    caption = c;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 0; i < cycles; i++) {
        unsigned char *next = frame_new(i);
        free(back);
        back = front;
        front = next;
        caption_set(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
