/* SPDX-License-Identifier: MIT */
/* 74 asynchronous cancellation, in code that only computes, around code that allocates
 * family: C threads
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 74 ok cancelled=200
 * HOLDS: exit 0, same stdout. A thread allows itself to be cancelled at any instruction between its allocations; what it
 * holds is freed by its cleanup handlers, in which malloc and free work as ever.
 * LIVE gen=last site=by_cleanup blocks=200 bytes=1800
 * ABSENT site=held */
#include "mark.h"
#include <pthread.h>
SITE static void *held(size_t n) { void *p = malloc(n); KEEP(p); return p; }
SITE static void *by_cleanup(void) { void *p = malloc(9); KEEP(p); return p; }
static void clean(void *p) { free(p); CHECK(by_cleanup()); }
static void *body(void *started) {
    void *p = held(100);
    unsigned x = 1;
    pthread_cleanup_push(clean, p);
    for (int i = 0; i < 50; i++) free(held((size_t)i + 1));
    __atomic_store_n((int *)started, 1, __ATOMIC_RELEASE);
    int old;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    for (;;) { x = x * 1664525 + 1; KEEP((unsigned long)x); }
    pthread_cleanup_pop(0);
    return 0;
}
int main(void) {
    int cancelled = 0;
    alarm(40);
    MARK("last");
    for (int i = 0; i < 200; i++) {
        pthread_t t;
        int started = 0;
        void *result = 0;
        CHECK(!pthread_create(&t, 0, body, &started));
        while (!__atomic_load_n(&started, __ATOMIC_ACQUIRE)) usleep(10);
        CHECK(!pthread_cancel(t) && !pthread_join(t, &result));
        cancelled += result == PTHREAD_CANCELED;
    }
    printf("74 ok cancelled=%d\n", cancelled);
    return 0;
}
