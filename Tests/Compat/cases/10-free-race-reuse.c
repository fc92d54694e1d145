/* SPDX-License-Identifier: MIT */
/* 10 an address freed by one thread is handed out to another at once
 * family: C threads
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 10 ok
 * HOLDS: exit 0, same stdout.  The record of a block must leave the table
 * BEFORE the real free (and, for realloc, before the old address can be
 * reused); otherwise a thread deletes the record of somebody else's new block.
 * LIVE gen=last site=final_keep blocks=2000 bytes=96000 (allocated during the race)
 * ABSENT site=hot_alloc (0 blocks, 0 bytes; peak and totals must not go negative) */
#include "mark.h"
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(void *) slot[16];
SITE static void *hot_alloc(void) { void *p = malloc(48); KEEP(p); return p; }
SITE static void *final_keep(void) { void *p = malloc(48); KEEP(p); return p; }
static void *worker(void *a) {
    unsigned s = (unsigned)(size_t)a * 2654435761u;
    for (int i = 0; i < 8000; i++) {
        s = s * 1664525u + 1013904223u;
        void *p = hot_alloc();
        if (s & 0x10000) p = realloc(p, 48 + (s >> 20) % 1000);
        CHECK(p);
        free(atomic_exchange(&slot[(s >> 8) % 16], p));
        if (i % 16 == 0) CHECK(final_keep());
    }
    return 0;
}
int main(void) {
    pthread_t t[4];
    MARK("last");
    for (size_t i = 0; i < 4; i++) CHECK(!pthread_create(&t[i], 0, worker, (void *)(i + 1)));
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    for (int i = 0; i < 16; i++) free(atomic_exchange(&slot[i], (void *)0));
    printf("10 ok\n");
    return 0;
}
