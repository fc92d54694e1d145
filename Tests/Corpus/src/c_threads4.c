/* SPDX-License-Identifier: MIT */
/* Four workers that live for the whole run; each leaks one record a cycle. The main thread marks. */
#include "bench.h"
#include <pthread.h>

#define WORKERS 4
static pthread_barrier_t begin, end;
static int cycles;

struct record { int worker, cycle; char text[32]; };

static void record_result(int worker, int cycle)
{
    struct record *r = malloc(sizeof *r);
    r->worker = worker; r->cycle = cycle;
    snprintf(r->text, sizeof r->text, "%d/%d", worker, cycle);
    bench_use(r);
}

static void crunch(int worker)
{
    for (int i = 0; i < 50; i++) {
        int *v = malloc(64 * sizeof *v);
        for (int k = 0; k < 64; k++) v[k] = worker + k;
        bench_use(v);
        free(v);
    }
}

static void *worker_main(void *arg)
{
    int me = (int)(long)arg;
    for (int i = 0; i < cycles; i++) {
        pthread_barrier_wait(&begin);
        crunch(me);
        record_result(me, i);
        pthread_barrier_wait(&end);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[WORKERS];
    cycles = bench_cycles(argc, argv);
    pthread_barrier_init(&begin, NULL, WORKERS + 1);
    pthread_barrier_init(&end, NULL, WORKERS + 1);
    for (long i = 0; i < WORKERS; i++) pthread_create(&t[i], NULL, worker_main, (void *)i);
    for (int i = 0; i < cycles; i++) {
        pthread_barrier_wait(&begin);
        pthread_barrier_wait(&end);
        bench_mark("cycle");
    }
    for (int i = 0; i < WORKERS; i++) pthread_join(t[i], NULL);
    return bench_done(cycles);
}
