/* SPDX-License-Identifier: MIT */
/* A queue of jobs that swells for six cycles and is worked off in the next six. */
#include "bench.h"

struct job { struct job *next; char payload[88]; };
static struct job *first, **last = &first;

static void job_add(void)
{
    struct job *j = calloc(1, sizeof *j);
    *last = j;
    last = &j->next;
}

static void job_run(void)
{
    struct job *j = first;
    if (!j) return;
    first = j->next;
    if (!first) last = &first;
    bench_use(j);
    free(j);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 0; i < cycles; i++) {
        int more = i % 12 < 6 ? 9 : 3;
        for (int k = 0; k < more; k++) job_add();
        for (int k = 0; k < 12 - more; k++) job_run();
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
