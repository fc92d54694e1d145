/* SPDX-License-Identifier: MIT */
/* A history list that stays reachable from a global and that nobody trims or reads. */
#include "bench.h"

struct visit { struct visit *next; char *url; int when; char pad[28]; };

static struct visit *history;

static char *url_copy(int i)
{
    char *u = malloc(32);
    snprintf(u, 32, "https://example.test/%06d", i);
    return u;
}

static void history_push(int when)
{
    struct visit *v = malloc(sizeof *v);
    v->url = url_copy(when);
    v->when = when;
    v->next = history;
    history = v;
}

static void page_show(void)
{
    char *dom[30];
    for (int i = 0; i < 30; i++) { dom[i] = malloc(100 + (size_t)i); bench_use(dom[i]); }
    for (int i = 0; i < 30; i++) free(dom[i]);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 0; i < cycles; i++) {
        history_push(2 * i);
        history_push(2 * i + 1);
        page_show();
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
