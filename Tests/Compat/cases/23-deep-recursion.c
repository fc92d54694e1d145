/* SPDX-License-Identifier: MIT */
/* 23 allocation 20 000 frames deep, a deep alloca, and many of them
 * family: F stacks
 * CC: gcc
 * FLAGS: -O1 -fno-builtin -fno-optimize-sibling-calls
 * OUT: 23 ok
 * HOLDS: exit 0, same stdout, at most 10 s (alarm).  The recorded stack has a
 * depth limit: the INNERMOST frames are kept, the cut is flagged, cost does not
 * grow with the real depth, and the tracker needs no recursion of its own.
 * LIVE gen=last site=leaf_alloc blocks=200 bytes=4400; frame 1 = deep */
#include "mark.h"
#include <alloca.h>
SITE static void *leaf_alloc(void) { void *p = malloc(22); KEEP(p); return p; }
SITE static int deep(int n) {
    if (n == 0) {
        char *a = alloca(100000);
        memset(a, 1, 100000);
        KEEP(a);
        for (int i = 0; i < 200; i++) if (!leaf_alloc()) return 1;
        for (int i = 0; i < 2000; i++) free(malloc(64));
        return 0;
    }
    int r = deep(n - 1);
    KEEP(&r);
    return r;
}
int main(void) {
    alarm(10);
    MARK("last");
    CHECK(deep(20000) == 0);
    printf("23 ok\n");
    return 0;
}
