/* SPDX-License-Identifier: MIT
 *
 * process: a process of which one thing grows, cycle after cycle. Usage: process heap|mapped|fragments|threads|nothing CYCLES
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void genmark_mark(const char *label) __attribute__((weak));

enum { MOST = 60, MAPPED = 4 << 20, HALF = 60000, WHOLE = 119000, PIN = 24 };

static void *halves[2 * MOST], *pins[2 * MOST], *kept[MOST];

static void *wait_for_ever(void *unused)
{
    pause();
    return unused;
}

static void start_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    pthread_create(&thread, &attributes, wait_for_ever, NULL);
    pthread_attr_destroy(&attributes);
}

/* Two blocks go, with others between them, and one comes that is nearly as large as both and fits in neither place. */
static void fragment(int cycle)
{
    free(halves[2 * cycle]);
    free(halves[2 * cycle + 1]);
    kept[cycle] = malloc(WHOLE);
    memset(kept[cycle], 1, WHOLE);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "nothing";
    int cycles = argc > 2 ? atoi(argv[2]) : 20;
    for (int i = 0; i < 2 * MOST; i++) {
        halves[i] = calloc(1, HALF);
        pins[i] = malloc(PIN);
    }
    for (int i = 0; i < cycles && i < MOST; i++) {
        if (!strcmp(what, "heap"))
            kept[i] = malloc(1000);
        else if (!strcmp(what, "mapped"))
            memset(mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, MAPPED);
        else if (!strcmp(what, "fragments"))
            fragment(i);
        else if (!strcmp(what, "threads"))
            start_thread();
        if (genmark_mark)
            genmark_mark("cycle");
    }
    _exit(0);
}
