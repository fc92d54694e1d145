/* SPDX-License-Identifier: MIT */
/* 38 sizes and sums beyond 2^31 and 2^32
 * family: J scale
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 38 ok
 * HOLDS: exit 0, same stdout.  Untouched 3 GiB blocks (virtual only); counters,
 * diffs, percentages and JSON numbers must be 64 bit and stay positive.  Also
 * 2^20 short allocations so that a total count goes well past 2^20.
 * LIVE at mark "shrink" site=giant blocks=3 bytes=9663676416
 * LIVE at exit gen=grow site=giant blocks=2 bytes=6442450944; freed later: one block,
 * 3221225472 bytes (fewer if the kernel refused a block: the program accepts NULL) */
#include "mark.h"
SITE static void *giant(void) {
    void *p = malloc((size_t)3 << 30);
    KEEP(p);
    return p;
}
int main(void) {
    void *g[3];
    MARK("grow");
    for (int i = 0; i < 3; i++) g[i] = giant();
    MARK("shrink");
    free(g[1]);
    for (int i = 0; i < 1 << 20; i++) {
        void *p = malloc(24);
        KEEP(p);
        free(p);
    }
    printf("38 ok\n");
    return 0;
}
