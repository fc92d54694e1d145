/* SPDX-License-Identifier: MIT */
/* 75 large blocks and large alignments: sizes to the byte, where no 32-bit number holds them
 * family: J scale
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 75 ok
 * HOLDS: exit 0, same stdout. 4 GiB and more, grown and shrunk across 4 GiB; alignments up to 1 GiB; odd sizes.
 * LIVE gen=last site=over_4g blocks=3 bytes=15032385545
 * LIVE gen=last site=regrown blocks=1 bytes=4294967297
 * LIVE gen=last site=aligned blocks=6 bytes=66
 * ABSENT site=passing */
#include "mark.h"
#include <malloc.h>
#include <stdint.h>
SITE static void *over_4g(size_t n) { void *p = malloc(n); KEEP(p); return p; }
SITE static void *regrown(void) { void *p = malloc(10); p = realloc(p, (size_t)5 << 30); p = realloc(p, 100); p = realloc(p, ((size_t)4 << 30) + 1); KEEP(p); return p; }
SITE static void *aligned(size_t a) { void *p = memalign(a, 11); KEEP(p); CHECK(p && (uintptr_t)p % a == 0); return p; }
SITE static void passing(void) { void *p = calloc(3, (size_t)2 << 30); KEEP(p); if (p) free(p); }
int main(void) {
    MARK("last");
    CHECK(over_4g((size_t)4 << 30) && over_4g(((size_t)4 << 30) + 4) && over_4g(((size_t)6 << 30) + 5));
    CHECK(regrown());
    for (size_t a = 64; a <= (size_t)1 << 30; a <<= 5) CHECK(aligned(a));
    CHECK(aligned(1 << 30));
    passing();
    printf("75 ok\n");
    return 0;
}
