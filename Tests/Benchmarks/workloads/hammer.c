// SPDX-License-Identifier: MIT
// hammer: T threads allocate at one and the same call site, as fast as they can, and free whatever they find in a shared
// table of slots: mostly blocks of the others.  usage: hammer [pairs_in_millions_per_thread=5] [threads=4]
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 1 << 12, THREAD_LIMIT = 64 };
static _Atomic(void *) slots[SLOTS];
static long pairs;

static __attribute__((noinline)) void *one_call_site(size_t size)
{
    char *block = malloc(size);
    block[0] = 1;
    __asm__ volatile("" ::: "memory");
    return block;
}

static void *run(void *number)
{
    uint64_t random = 88172645463325252ull + (uint64_t)(intptr_t)number * 7919;
    for (long i = 0; i < pairs; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        void *block = one_call_site(16 + random % 497);
        free(atomic_exchange_explicit(&slots[random >> 40 & (SLOTS - 1)], block, memory_order_acq_rel));
    }
    return NULL;
}

int main(int count, char **words)
{
    pairs = (long)((count > 1 ? atof(words[1]) : 5) * 1e6);
    int threads = count > 2 ? atoi(words[2]) : 4;
    if (threads < 1 || threads > THREAD_LIMIT)
        return 2;
    pthread_t started[THREAD_LIMIT];
    for (int i = 0; i < threads; i++)
        pthread_create(&started[i], NULL, run, (void *)(intptr_t)i);
    for (int i = 0; i < threads; i++)
        pthread_join(started[i], NULL);
    for (int i = 0; i < SLOTS; i++)
        free(atomic_load(&slots[i]));
    printf("hammer pairs=%ld threads=%d\n", pairs * threads, threads);
    return 0;
}
