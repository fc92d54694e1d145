/* SPDX-License-Identifier: MIT */
/* A work queue whose length wanders at random between 0 and 120 jobs. */
#include "bench.h"

struct job { struct job *next; int n; char args[112]; };
static struct job *first, **last = &first;
static int length;

static void queue_push(int n)
{
    struct job *j = malloc(sizeof *j);
    j->next = NULL; j->n = n;
    *last = j; last = &j->next;
    length++;
}

static void queue_pop(void)
{
    struct job *j = first;
    first = j->next;
    if (!first) last = &first;
    free(j);
    length--;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 20240607;
    for (int i = 0; i < cycles; i++) {
        int in = (int)(bench_rand(&seed) % 61), out = (int)(bench_rand(&seed) % 61);
        for (int k = 0; k < in && length < 120; k++) queue_push(k);
        for (int k = 0; k < out && length > 0; k++) queue_pop();
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
