/* SPDX-License-Identifier: MIT */
/* 01 allocations before any constructor of the preload has run
 * family: A init+TLS
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 01 ok zero=1
 * HOLDS: exit 0, same stdout.  .preinit_array code of the program runs before
 * the tracker's constructor, so malloc/calloc/realloc/free must work and be
 * recorded from the first call; a block handed out by a start-up bump arena
 * must later be accepted by realloc/free/malloc_usable_size.
 * LIVE gen=first site=early_leak blocks=1 bytes=40
 * LIVE gen=first site=ctor_leak  blocks=1 bytes=66
 * ABSENT site=early_temp (freed in main) */
#include "mark.h"
#include <malloc.h>
static void *kept, *temp, *ctor_kept;
static int zero;
SITE static void *early_leak(size_t n) { void *p = malloc(n); KEEP(p); return p; }
SITE static void *early_temp(size_t n) { void *p = malloc(n); KEEP(p); return p; }
SITE static void *ctor_leak(size_t n) {
    unsigned char *p = calloc(3, n / 3);
    zero = 1;
    for (size_t i = 0; i < n / 3 * 3; i++) if (p[i]) zero = 0;
    memset(p, 7, n / 3 * 3);
    p = realloc(p, 2 * n);
    KEEP(p);
    return p;
}
static void pre(int c, char **v, char **e) {
    (void)c; (void)v; (void)e;
    kept = early_leak(40);
    temp = early_temp(41);
    free(malloc(0));
}
__attribute__((section(".preinit_array"), used))
static void (*pre_p)(int, char **, char **) = pre;
__attribute__((constructor(101))) static void ctor(void) { ctor_kept = ctor_leak(33); }
int main(void) {
    CHECK(kept && temp && ctor_kept);
    CHECK(malloc_usable_size(temp) >= 41);
    CHECK(((unsigned char *)ctor_kept)[32] == 7);
    free(temp);
    printf("01 ok zero=%d\n", zero);
    return 0;
}
