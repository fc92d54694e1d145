// SPDX-License-Identifier: MIT
// churn: threads that allocate, hand on, grow and free blocks for ever, with marks, a thread that comes and goes and, now
// and then, a library that is loaded and closed, and a fork whose child does the same for a while, with blocks of its parent
// too. To be killed, with its children. Prints "ready" once all threads run.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern void genmark_mark(const char *label) __attribute__((weak));

enum { THREADS = 3, PLACES = 4096, SITES = 8 };

static void *places[PLACES];

static unsigned next_random(unsigned *state) { return *state = *state * 1664525 + 1013904223, *state >> 8; }

#define SITE(n) __attribute__((noinline)) static void *site##n(size_t size) \
    { void *volatile block = n % 3 ? malloc(size) : calloc(1, size); return block; }
SITE(0) SITE(1) SITE(2) SITE(3) SITE(4) SITE(5) SITE(6) SITE(7)

static void *(*const sites[SITES])(size_t) = {site0, site1, site2, site3, site4, site5, site6, site7};

__attribute__((noinline)) static void *deeper(unsigned depth, unsigned site, size_t size)
{
    void *volatile block = depth ? deeper(depth - 1, site, size) : sites[site](size);
    return block;
}

static void rounds(unsigned state, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        void *block = deeper(next_random(&state) % 6, next_random(&state) % SITES, 1 + next_random(&state) % 700);
        if (next_random(&state) % 4 == 0)
            block = realloc(block, 1 + next_random(&state) % 3000);
        free(__atomic_exchange_n(&places[next_random(&state) % PLACES], block, __ATOMIC_ACQ_REL));
    }
}

static void *churn(void *argument)
{
    for (unsigned turn = 0;; turn++)
        rounds((unsigned)(size_t)argument + turn * 8, 100000);
    return NULL;
}

static void child(unsigned turn)
{
    for (unsigned i = 0; i < 20; i++) {
        rounds(turn + i, 1000);
        if (genmark_mark)
            genmark_mark("child");
    }
    _exit(turn % 3);
}

static void *visit(void *unused)
{
    (void)unused;
    free(deeper(2, 1, 100));
    return NULL;
}

int main(void)
{
    pthread_t thread;
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&thread, NULL, churn, (void *)(i + 1));
    puts("ready");
    fflush(stdout);
    for (unsigned turn = 0;; turn++) {
        char label[32];
        snprintf(label, sizeof label, "mark %u", turn % 5);
        if (genmark_mark)
            genmark_mark(label);
        if (turn % 8 == 0 && pthread_create(&thread, NULL, visit, NULL) == 0)
            pthread_join(thread, NULL);
        if (turn % 64 == 0) {
            void *library = dlopen("libm.so.6", RTLD_NOW);
            if (library)
                dlclose(library);
        }
        if (turn % 50 == 20) {
            if (fork() == 0)
                child(turn);
            while (waitpid(-1, NULL, WNOHANG) > 0) {}
        }
        usleep(500);
    }
}
