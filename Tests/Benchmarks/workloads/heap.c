// SPDX-License-Identifier: MIT
// heap: builds a heap of blocks of LEAST to MOST bytes, frees all of it, and goes on with a little work, with a word and a pause
// (until a line on standard input) at the start, when it is full and at the end: what memory is used for can be looked at then.
// usage: heap MEBIBYTES LEAST MOST [threads=0: the main thread alone]
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { THREAD_LIMIT = 16, WORK_PAIRS = 2000000, WORK_KEPT = 64 };

struct part {
    void **blocks;
    long count;
    uint64_t random;
    pthread_t thread;
};
static struct part parts[THREAD_LIMIT];
static size_t least, most;
static pthread_barrier_t barrier;

static size_t any_size(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return least + (size_t)(*random % (most - least + 1));
}

static void fill(struct part *part)
{
    for (long i = 0; i < part->count; i++) {
        char *block = malloc(any_size(&part->random));
        block[0] = 1;
        part->blocks[i] = block;
    }
}

static void drain(struct part *part)
{
    for (long i = 0; i < part->count; i++)
        free(part->blocks[i]);
}

static void work(void)
{
    void *kept[WORK_KEPT] = {0};
    uint64_t random = 88172645463325252ull;
    for (int i = 0; i < WORK_PAIRS; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        void **slot = &kept[random % WORK_KEPT];
        free(*slot);
        *slot = malloc(16 + random % 256);
    }
    for (int i = 0; i < WORK_KEPT; i++)
        free(kept[i]);
}

static void *run(void *argument)
{
    struct part *part = argument;
    fill(part);
    pthread_barrier_wait(&barrier);            // full
    pthread_barrier_wait(&barrier);            // may be freed
    drain(part);
    pthread_barrier_wait(&barrier);            // freed
    pthread_barrier_wait(&barrier);            // the end
    return NULL;
}

static void pause_at(const char *word)
{
    char line[16];
    printf("%s\n", word);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        exit(1);
}

int main(int count, char **words)
{
    if (count < 4)
        return 2;
    double bytes = atof(words[1]) * (1 << 20);
    least = (size_t)atol(words[2]);
    most = (size_t)atol(words[3]);
    int threads = count > 4 ? atoi(words[4]) : 0, used = threads ? threads : 1;
    if (least < 1 || most < least || used > THREAD_LIMIT)
        return 2;
    pause_at("start");
    long blocks = (long)(bytes / ((double)(least + most) / 2)) / used;
    for (int i = 0; i < used; i++)
        parts[i] = (struct part){
            .blocks = mmap(NULL, (size_t)blocks * sizeof(void *), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            .count = blocks,
            .random = 88172645463325252ull + (uint64_t)i * 7919,
        };
    if (threads == 0) {
        fill(&parts[0]);
        pause_at("full");
        drain(&parts[0]);
    } else {
        pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
        for (int i = 0; i < threads; i++)
            pthread_create(&parts[i].thread, NULL, run, &parts[i]);
        pthread_barrier_wait(&barrier);
        pause_at("full");
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    work();
    malloc_trim(0);                            // so that what the allocator keeps is the same in every run
    pause_at("freed");
    if (threads) {
        pthread_barrier_wait(&barrier);
        for (int i = 0; i < threads; i++)
            pthread_join(parts[i].thread, NULL);
    }
    return 0;
}
