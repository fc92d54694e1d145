/* SPDX-License-Identifier: MIT */
/* Glyphs are loaded during the first four cycles (25 a cycle); after that every glyph is known. */
#include "bench.h"

struct glyph { int code; unsigned char bits[140]; };
static struct glyph *glyphs[100];

static struct glyph *glyph_load(int code)
{
    struct glyph *g = malloc(sizeof *g);
    g->code = code;
    memset(g->bits, code, sizeof g->bits);
    return g;
}

static struct glyph *glyph_for(int code)
{
    if (!glyphs[code]) glyphs[code] = glyph_load(code);
    return glyphs[code];
}

static void text_layout(int from, int n)
{
    struct glyph **run = malloc((size_t)n * sizeof *run);
    for (int i = 0; i < n; i++) run[i] = glyph_for((from + i) % 100);
    bench_use(run);
    free(run);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 0; i < cycles; i++) {
        text_layout(25 * (i % 4), 25);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
