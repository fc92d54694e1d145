/* SPDX-License-Identifier: MIT */
/* 56 threads of the least stack that there is, most of it used up
 * family: C threads
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 56 ok threads=24
 * HOLDS: exit 0, same stdout. 16 KiB of stack, of which 6 are taken before the first allocation: all that a recorder
 * does in a hook (first walk of a thread, new call sites, marks, a signal frame on top) has to do with the rest.
 * LIVE site=on_small blocks=24 bytes=1440 */
#include "mark.h"
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
SITE static void *on_small(void) { void *p = malloc(60); KEEP(p); return p; }
static void on_signal(int s) { (void)s; }
SITE static int use_up(void) {
    volatile char taken[6 * 1024];
    for (size_t i = 0; i < sizeof taken; i += 256) taken[i] = 1;
    void *p = on_small();
    CHECK(p);
    for (size_t n = 0; n < 400; n++) { void *q = calloc(1, n); q = realloc(q, n * 3 + 1); free(q); }
    MARK("small");
    raise(SIGUSR1);
    return taken[512];
}
static void *body(void *done) { if (use_up()) *(int *)done += 1; return 0; }
int main(void) {
    int done = 0;
    alarm(30);
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 24; i++) {
        pthread_attr_t a;
        pthread_t t;
        char *stack = mmap(0, 16384 + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(stack != MAP_FAILED && !mprotect(stack + 4096, 16384, PROT_READ | PROT_WRITE));
        pthread_attr_init(&a);
        CHECK(!pthread_attr_setstack(&a, stack + 4096, 16384));
        CHECK(!pthread_create(&t, &a, body, &done) && !pthread_join(t, 0));
        munmap(stack, 16384 + 4096);
    }
    printf("56 ok threads=%d\n", done);
    return 0;
}
