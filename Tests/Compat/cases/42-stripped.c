/* SPDX-License-Identifier: MIT */
/* 42 a stripped program: only dynamic symbols remain
 * family: K symbols
 * CC: gcc
 * FLAGS: -O1 -fno-builtin -s -Wl,--build-id -rdynamic
 * OUT: 42 ok
 * HOLDS: exit 0, same stdout.  hidden_a/hidden_b are static and have no symbol;
 * "exported" has one.  A frame of a hidden function is shown as module + offset
 * (+ build id), never with the name of the nearest exported symbol beyond that
 * symbol's size.  The two hidden sites stay two sites.
 * LIVE gen=last module=42-stripped, unnamed site 1 blocks=3 bytes=33
 * LIVE gen=last module=42-stripped, unnamed site 2 blocks=4 bytes=48
 * LIVE gen=last site=exported blocks=2 bytes=26 */
#include "mark.h"
SITE static void *hidden_a(void) { void *p = malloc(11); KEEP(p); return p; }
SITE static void *hidden_b(void) { void *p = malloc(12); KEEP(p); return p; }
SITE void *exported(void) { void *p = malloc(13); KEEP(p); return p; }
int main(void) {
    MARK("last");
    for (int i = 0; i < 3; i++) CHECK(hidden_a());
    for (int i = 0; i < 4; i++) CHECK(hidden_b());
    for (int i = 0; i < 2; i++) CHECK(exported());
    printf("42 ok\n");
    return 0;
}
