/* SPDX-License-Identifier: MIT */
/* 09 pthread key destructors allocate and free in all four rounds
 * family: C threads
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 09 ok rounds=32
 * HOLDS: exit 0, same stdout.  The tracker's per-thread state may be gone when
 * these run, and libc frees the thread's own TLS after the last of them: late
 * malloc/free must neither crash, revive dead state, nor be lost.
 * LIVE gen=last site=dtor_leak blocks=8 bytes=512
 * ABSENT site=tsd_block */
#include "mark.h"
#include <pthread.h>
static pthread_key_t key;
static int rounds;
SITE static void *dtor_leak(void) { void *p = malloc(64); KEEP(p); return p; }
SITE static int *tsd_block(void) { int *p = malloc(200); KEEP(p); return p; }
static void dtor(void *v) {
    int *b = v, n = *b + 1;
    __atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED);
    free(b);
    free(calloc(5, 5));
    if (n < 4) {
        int *nb = tsd_block();
        *nb = n;
        pthread_setspecific(key, nb);
    } else CHECK(dtor_leak());
}
static void *body(void *a) {
    int *b = tsd_block();
    *b = 0;
    pthread_setspecific(key, b);
    return a;
}
int main(void) {
    pthread_t t[8];
    CHECK(!pthread_key_create(&key, dtor));
    MARK("last");
    for (int i = 0; i < 8; i++) CHECK(!pthread_create(&t[i], 0, body, 0));
    for (int i = 0; i < 8; i++) CHECK(!pthread_join(t[i], 0));
    printf("09 ok rounds=%d\n", rounds);
    return 0;
}
