/* SPDX-License-Identifier: MIT */
/* 73 many call sites, many threads, every one counted
 * family: J scale
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 73 ok sites=16384 threads=300
 * HOLDS: exit 0, same stdout. 16,384 distinct call stacks from one function, each met twice; 300 threads at once, each with
 * a block of its own that another thread frees or that stays.
 * LIVE gen=last site=leaf blocks=32768 bytes=786432
 * LIVE gen=last site=of_thread blocks=150 bytes=6000 */
#include "mark.h"
#include <pthread.h>
enum { THREADS = 300 };
static void *blocks[THREADS];
static pthread_barrier_t all;
SITE static void *leaf(void) { void *p = malloc(24); KEEP(p); return p; }
static void *left(unsigned n, int d), *right(unsigned n, int d);
SITE static void *down(unsigned n, int d) { void *p = d == 0 ? leaf() : n & 1 ? right(n >> 1, d - 1) : left(n >> 1, d - 1); KEEP(p); return p; }
SITE static void *left(unsigned n, int d) { void *p = down(n, d); KEEP(p); return p; }
SITE static void *right(unsigned n, int d) { void *p = down(n, d); KEEP(p); return p; }
SITE static void *of_thread(void) { void *p = malloc(40); KEEP(p); return p; }
static void *body(void *n) {
    long i = (long)n;
    blocks[i] = of_thread();
    pthread_barrier_wait(&all);
    if (i % 2) free(blocks[i - 1]);
    return 0;
}
int main(void) {
    static pthread_t t[THREADS];
    pthread_attr_t a;
    alarm(50);
    MARK("last");
    for (int round = 0; round < 2; round++)
        for (unsigned n = 0; n < 16384; n++) CHECK(down(n, 14));
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 65536);
    pthread_barrier_init(&all, 0, THREADS);
    for (long i = 0; i < THREADS; i++) CHECK(!pthread_create(&t[i], &a, body, (void *)i));
    for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
    printf("73 ok sites=16384 threads=300\n");
    return 0;
}
