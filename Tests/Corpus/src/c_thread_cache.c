/* SPDX-License-Identifier: MIT */
/* Three threads, each with a cache of its own that is full after six cycles; what does not fit is given back. */
#include "bench.h"
#include <pthread.h>

#define THREADS 3
#define SLOTS 24
static pthread_barrier_t begin, end;
static int cycles;
static __thread void *slots[SLOTS];
static __thread int filled;

static void *object_take(void)
{
    if (filled) return slots[--filled];
    return malloc(160);
}

static void object_give(void *object)
{
    if (filled < SLOTS) slots[filled++] = object;
    else free(object);
}

static void *work(void *unused)
{
    void *held[40];
    (void)unused;
    for (int i = 0; i < cycles; i++) {
        pthread_barrier_wait(&begin);
        int want = i < 6 ? 4 * (i + 1) : 24 + i % 12;
        for (int k = 0; k < want; k++) held[k] = object_take();
        bench_use(held);
        for (int k = 0; k < want; k++) object_give(held[k]);
        pthread_barrier_wait(&end);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    cycles = bench_cycles(argc, argv);
    pthread_barrier_init(&begin, NULL, THREADS + 1);
    pthread_barrier_init(&end, NULL, THREADS + 1);
    for (int t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, work, NULL);
    for (int i = 0; i < cycles; i++) {
        pthread_barrier_wait(&begin);
        pthread_barrier_wait(&end);
        bench_mark("cycle");
    }
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    return bench_done(cycles);
}
