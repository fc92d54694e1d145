/* SPDX-License-Identifier: MIT */
/* 36 a statically linked program: the preload is ignored by design
 * family: I limits
 * CC: gcc
 * FLAGS: -O1 -fno-builtin -static
 * OUT: 36 ok
 * HOLDS: exit 0, same stdout.  No trace can exist.  A gate run on this program
 * must FAIL or say "not traced"; "0 bytes of growth" would be a false pass.  The
 * same holds for env -i, a setuid program, and another libc.
 * ABSENT any trace of this process */
#include <stdio.h>
#include <stdlib.h>
static void *volatile keep[100];
int main(void) {
    for (int i = 0; i < 100; i++) keep[i] = malloc(10000);
    for (int i = 0; i < 100; i++) if (!keep[i]) return 1;
    printf("36 ok\n");
    return 0;
}
