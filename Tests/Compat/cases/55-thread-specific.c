/* SPDX-License-Identifier: MIT */
/* 55 destructors of thread-specific data allocate, in every round there is
 * family: C threads
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 55 ok threads=200
 * HOLDS: exit 0, same stdout. The destructors run when a recorder's own thread state may be gone; each sets its key again,
 * so that all rounds are used, frees what another thread allocated, and keeps a little.
 * LIVE gen=last site=late_kept blocks=200 bytes=4200
 * ABSENT site=late_temp
 * ABSENT site=of_main */
#include "mark.h"
#include <pthread.h>
static pthread_key_t keys[8];
static __thread int rounds;
static void *from_main[200];
SITE static void *late_kept(void) { void *p = malloc(21); KEEP(p); return p; }
SITE static void *late_temp(size_t n) { void *p = malloc(n); KEEP(p); return p; }
SITE static void *of_main(void) { void *p = malloc(70); KEEP(p); return p; }
static void at_end(void *value) {
    rounds++;
    for (size_t n = 1; n < 50; n++) free(late_temp(n * 20));
    if (rounds < 20) { CHECK(!pthread_setspecific(keys[rounds % 8], value)); return; }
    if (rounds == 20) { free(*(void **)value); CHECK(late_kept()); }
}
static void *body(void *value) {
    for (int k = 0; k < 8; k++) CHECK(!pthread_setspecific(keys[k], value));
    free(late_temp(5));
    return 0;
}
int main(void) {
    alarm(40);
    MARK("last");
    for (int k = 0; k < 8; k++) CHECK(!pthread_key_create(&keys[k], at_end));
    for (int i = 0; i < 200; i += 4) {
        pthread_t t[4];
        for (int j = 0; j < 4; j++) { CHECK(from_main[i + j] = of_main()); CHECK(!pthread_create(&t[j], 0, body, &from_main[i + j])); }
        for (int j = 0; j < 4; j++) pthread_join(t[j], 0);
    }
    printf("55 ok threads=200\n");
    return 0;
}
