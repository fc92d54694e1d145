// SPDX-License-Identifier: MIT
// allocators: the whole family, from four threads, each function from a call site of its own; blocks are freed by a thread
// other than theirs. Leaves 100 blocks of each function and prints whether each behaved. With "foreign": a block that the
// C library made (getline, strdup, asprintf, realpath) is freed here, and one of ours is given to a function that frees it.
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void genmark_mark(const char *label) __attribute__((weak));

enum { KINDS = 9, EACH = 100, CHURN = 20000, THREADS = 4 };

#define SITE __attribute__((noinline)) static void *
SITE by_malloc(size_t size) { void *volatile p = malloc(size); return p; }
SITE by_calloc(size_t size) { void *volatile p = calloc(1, size); return p; }
SITE by_realloc(size_t size) { void *volatile p = realloc(NULL, size); return p; }
SITE by_reallocarray(size_t size) { void *volatile p = reallocarray(NULL, size, 1); return p; }
SITE by_memalign(size_t size) { void *volatile p = memalign(64, size); return p; }
SITE by_aligned_alloc(size_t size) { void *volatile p = aligned_alloc(64, (size + 63) & ~(size_t)63); return p; }
SITE by_posix_memalign(size_t size) { void *p = NULL; return posix_memalign(&p, 4096, size) == 0 ? *(void *volatile *)&p : NULL; }
SITE by_valloc(size_t size) { void *volatile p = valloc(size); return p; }
SITE by_growth(size_t size) { void *volatile p = malloc(8); p = realloc(p, size); return p; }

static void *(*const kinds[KINDS])(size_t) = {by_malloc, by_calloc, by_realloc, by_reallocarray, by_memalign, by_aligned_alloc,
                                              by_posix_memalign, by_valloc, by_growth};
static void *places[1024];

static void *churn(void *argument)
{
    unsigned state = (unsigned)(uintptr_t)argument;
    for (int i = 0; i < CHURN; i++) {
        state = state * 1664525 + 1013904223;
        size_t size = (state >> 8) % 2000;
        void *block = kinds[(state >> 20) % KINDS](size);
        if (block && malloc_usable_size(block) < size)
            exit(4);
        memset(block, 1, size);
        free(__atomic_exchange_n(&places[(state >> 12) % 1024], block, __ATOMIC_ACQ_REL));
    }
    return NULL;
}

int main(void)
{
    alarm(100);
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 1024; i++)
        free(places[i]);
    if (genmark_mark)
        genmark_mark("kept");
    int good = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < EACH; i++) {
            void *volatile block = kinds[kind](64 + i);
            good += block && ((uintptr_t)block & 7) == 0;
        }
    errno = 0;
    volatile size_t huge = PTRDIFF_MAX;
    void *volatile refused = malloc(huge);
    void *volatile overflow = calloc(huge, 4);
    void *volatile empty = malloc(0);
    free(empty);
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen("/proc/self/comm", "r");
    if (!file || getline(&line, &room, file) < 0)
        return 3;
    fclose(file);
    free(line);
    char *copy = strdup("copy"), *path = realpath(".", NULL);
    free(copy);
    free(path);
    printf("%d kept, %d %d refused\n", good, refused == NULL, overflow == NULL);
    return 0;
}
