/* SPDX-License-Identifier: MIT */
/* 11 a pending pthread_cancel must not fire inside malloc/free
 * family: C threads
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 11 ok done=1 canceled=1
 * HOLDS: exit 0, same stdout.  malloc/free are no cancellation points; a tracker
 * that calls write/open/fsync/msync there makes them so and dies with its lock
 * held (then main hangs: alarm).
 * LIVE gen=last site=in_thread blocks=20 bytes=1000
 * LIVE gen=last site=in_main blocks=1 bytes=51 */
#include "mark.h"
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready, go, done;
SITE static void *in_thread(void) { void *p = malloc(50); KEEP(p); return p; }
SITE static void *in_main(void) { void *p = malloc(51); KEEP(p); return p; }
static void *body(void *a) {
    ready = 1;
    while (!go) ;
    for (int i = 0; i < 3000; i++) free(malloc(1 + i * 13 % 5000));
    for (int i = 0; i < 20; i++) if (!in_thread()) return a;
    done = 1;
    for (;;) { pthread_testcancel(); sched_yield(); }
    return a;
}
int main(void) {
    pthread_t t;
    void *r;
    alarm(20);
    MARK("last");
    CHECK(!pthread_create(&t, 0, body, 0));
    while (!ready) sched_yield();
    CHECK(!pthread_cancel(t));
    go = 1;
    CHECK(!pthread_join(t, &r));
    CHECK(in_main());
    printf("11 ok done=%d canceled=%d\n", (int)done, r == PTHREAD_CANCELED);
    return 0;
}
