/* SPDX-License-Identifier: MIT */
/* A table of twenty glyphs, each drawn when it is first needed: one more in each of the first twenty cycles. */
#include "bench.h"

#define GLYPHS 20
static char *glyphs[GLYPHS];

static const char *glyph(int n)
{
    if (!glyphs[n]) {
        glyphs[n] = malloc(512);
        memset(glyphs[n], n, 512);
    }
    return glyphs[n];
}

static void draw(int i)
{
    for (int n = 0; n < i && n < GLYPHS; n++) bench_use(glyph(n));
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        draw(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
