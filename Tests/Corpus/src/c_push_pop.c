/* SPDX-License-Identifier: MIT */
/* A stack of screens. "push" is marked when a screen is on the stack, "pop" when it is gone again.
 * The rows' accessory images survive the pop. */
#include "bench.h"

struct row { char *text; unsigned char *image; };
struct screen { struct screen *below; int nrows; struct row *rows; };
static struct screen *top;

static char *row_text(int i)
{
    char *t = malloc(40);
    snprintf(t, 40, "row %d", i);
    return t;
}

static unsigned char *row_image(int i)
{
    unsigned char *p = malloc(144);
    memset(p, i, 144);
    return p;
}

static void screen_push(int nrows)
{
    struct screen *s = malloc(sizeof *s);
    s->nrows = nrows;
    s->rows = calloc((size_t)nrows, sizeof *s->rows);
    for (int i = 0; i < nrows; i++) {
        s->rows[i].text = row_text(i);
        if (i % 4 == 0) s->rows[i].image = row_image(i);
    }
    s->below = top;
    top = s;
}

static void screen_pop(void)
{
    struct screen *s = top;
    top = s->below;
    for (int i = 0; i < s->nrows; i++) free(s->rows[i].text);   /* the images are forgotten */
    free(s->rows);
    free(s);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    screen_push(3);
    bench_mark("pop");
    for (int i = 0; i < cycles; i++) {
        screen_push(12);
        bench_mark("push");
        screen_pop();
        bench_mark("pop");
    }
    return bench_done(cycles);
}
