/* SPDX-License-Identifier: MIT */
/* A text is put together by realloc, piece by piece, and then forgotten; in every fourth cycle it is given back. */
#include "bench.h"

static char *text_append(char *text, size_t *length, size_t more)
{
    text = realloc(text, *length + more);
    memset(text + *length, 'x', more);
    *length += more;
    return text;
}

static void page_render(int i)
{
    char *text = NULL;
    size_t length = 0;
    for (int piece = 1; piece <= 4; piece++) text = text_append(text, &length, (size_t)(256 * piece));
    bench_use(text);
    if (i % 4 == 0) free(text);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        page_render(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
