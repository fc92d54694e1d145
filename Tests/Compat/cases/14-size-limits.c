/* SPDX-License-Identifier: MIT */
/* 14 impossible sizes: NULL + ENOMEM, nothing recorded, old block survives
 * family: D API contract
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 14 ok survivor=abc
 * HOLDS: exit 0, same stdout.  Size + header arithmetic in the tracker must not
 * wrap; n*m in calloc/reallocarray must be checked, a failed realloc leaves the
 * old record alone.
 * LIVE gen=last site=survivor blocks=1 bytes=100
 * ABSENT any block or total above 1 MiB; failed calls add nothing to counts */
#include "mark.h"
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
SITE static char *survivor(void) { char *p = malloc(100); KEEP(p); return p; }
#define FAILS(expr) do { errno = 0; void *r_ = (expr); CHECK(!r_ && errno == ENOMEM); } while (0)
int main(void) {
    volatile size_t max = SIZE_MAX, half = (size_t)PTRDIFF_MAX, one = 1;
    MARK("last");
    char *s = survivor();
    strcpy(s, "abc");
    FAILS(malloc(half + one));
    FAILS(malloc(max));
    FAILS(malloc(max - 7));
    FAILS(malloc(max - 63));
    FAILS(calloc(max, 2));
    FAILS(calloc(max / 4, 16));
    FAILS(calloc(((size_t)1 << 32) + one, ((size_t)1 << 32) + one));
    FAILS(realloc(s, max - 15));
    FAILS(realloc(s, half + one));
    FAILS(reallocarray(s, max / 2, 3));
    FAILS(memalign(64, max - 100));
    FAILS(valloc(max - 100));
    FAILS(pvalloc(max - 100));
    void *a = (void *)9;
    CHECK(posix_memalign(&a, 64, max - 100) == ENOMEM && a == (void *)9);
    printf("14 ok survivor=%s\n", s);
    return 0;
}
