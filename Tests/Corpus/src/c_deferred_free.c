/* SPDX-License-Identifier: MIT */
/* A thread of its own frees what was retired three cycles ago. With "leaky" it overlooks one of eight. */
#include "bench.h"
#include <pthread.h>

#define GRACE 3
#define EACH 8
static void *retired[GRACE + 1][EACH];
static pthread_barrier_t begin, end;
static int cycles, leaky;

static void version_publish(int i)
{
    for (int k = 0; k < EACH; k++) {
        retired[i % (GRACE + 1)][k] = malloc(240);
        bench_use(retired[i % (GRACE + 1)][k]);
    }
}

static void *reclaim(void *unused)
{
    (void)unused;
    for (int i = 0; i < cycles; i++) {
        pthread_barrier_wait(&begin);
        if (i >= GRACE)
            for (int k = leaky; k < EACH; k++) free(retired[(i - GRACE) % (GRACE + 1)][k]);
        pthread_barrier_wait(&end);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    cycles = bench_cycles(argc, argv);
    leaky = argc > 2 && !strcmp(argv[2], "leaky");
    pthread_barrier_init(&begin, NULL, 2);
    pthread_barrier_init(&end, NULL, 2);
    pthread_create(&thread, NULL, reclaim, NULL);
    for (int i = 0; i < cycles; i++) {
        version_publish(i);
        pthread_barrier_wait(&begin);
        pthread_barrier_wait(&end);
        bench_mark("cycle");
    }
    pthread_join(thread, NULL);
    return bench_done(cycles);
}
