/* SPDX-License-Identifier: MIT */
/* An inbox gets three to five messages a cycle and loses one or two; when it holds forty, the oldest go. */
#include "bench.h"

#define MOST 40
static char *inbox[MOST + 8];
static int held;

static void inbox_drop(void)
{
    free(inbox[0]);
    memmove(inbox, inbox + 1, (size_t)--held * sizeof *inbox);
}

static void inbox_add(void)
{
    inbox[held] = malloc(120);
    bench_use(inbox[held++]);
    while (held > MOST) inbox_drop();
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 23;
    for (int i = 1; i <= cycles; i++) {
        for (unsigned k = 3 + bench_rand(&seed) % 3; k; k--) inbox_add();
        for (unsigned k = 1 + bench_rand(&seed) % 2; k; k--) inbox_drop();
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
