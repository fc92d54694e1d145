/* SPDX-License-Identifier: MIT */
/* 13 errno: untouched by success and by free, ENOMEM/EINVAL as from libc
 * family: D API contract
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 13 ok
 * HOLDS: exit 0, same stdout.  The tracker's own system calls (mmap, ftruncate,
 * futex, gettid, unwinder probes) must not leak their errno; 3000 rounds make
 * it grow its files and tables.  posix_memalign reports by value only.
 * LIVE gen=last site=errno_keep blocks=3000 bytes=96000 */
#include "mark.h"
#include <errno.h>
#include <stdint.h>
SITE static void *errno_keep(void) { void *p = malloc(32); KEEP(p); return p; }
int main(void) {
    MARK("last");
    for (int i = 0; i < 3000; i++) {
        errno = 12345;
        void *k = errno_keep();
        CHECK(k && errno == 12345);
        void *p = malloc(i);
        CHECK(errno == 12345);
        p = realloc(p, 2 * i + 1);
        CHECK(p && errno == 12345);
        void *q = calloc(3, i + 1);
        CHECK(q && errno == 12345);
        free(p);
        CHECK(errno == 12345);
        free(q);
        free(0);
        CHECK(errno == 12345);
        void *a = (void *)7;
        CHECK(posix_memalign(&a, 64, 100) == 0 && errno == 12345);
        free(a);
        CHECK(errno == 12345);
    }
    void *big = malloc(300 << 20);          /* mmap + munmap path */
    errno = 777;
    free(big);
    CHECK(errno == 777);
    errno = 0;
    volatile size_t huge = SIZE_MAX / 2;
    CHECK(!malloc(huge + 10) && errno == ENOMEM);
    void *a = (void *)7;
    errno = 55;
    int e = posix_memalign(&a, 24, 10);     /* not a power of two */
    CHECK(e == EINVAL && a == (void *)7 && errno == 55);
    printf("13 ok\n");
    return 0;
}
