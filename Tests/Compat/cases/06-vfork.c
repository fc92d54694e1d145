/* SPDX-License-Identifier: MIT */
/* 06 vfork: the child runs in the parent's memory until exec or _exit
 * family: B processes
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 06 ok exec=0 exit=3
 * HOLDS: exit 0, same stdout.  A block the vfork child leaves behind lives on in
 * the PARENT's heap.  A pid check in the hook must not make the tracker close,
 * re-create or drop the parent's mapping because getpid() changed for a moment.
 * LIVE gen=last site=vfork_leak blocks=1 bytes=77
 * LIVE gen=last site=after_vfork blocks=3 bytes=300 */
#include "mark.h"
#include <sys/wait.h>
SITE static void *vfork_leak(void) { void *p = malloc(77); KEEP(p); return p; }
SITE static void *after_vfork(void) { void *p = malloc(100); KEEP(p); return p; }
static void *volatile left;
int main(void) {
    int st1, st2;
    MARK("last");
    pid_t p = vfork();
    CHECK(p >= 0);
    if (!p) { execl("/bin/true", "true", (char *)0); _exit(99); }
    CHECK(waitpid(p, &st1, 0) == p && WIFEXITED(st1));
    p = vfork();
    CHECK(p >= 0);
    if (!p) { left = vfork_leak(); free(malloc(32)); _exit(3); }
    CHECK(waitpid(p, &st2, 0) == p && WIFEXITED(st2));
    CHECK(left);
    for (int i = 0; i < 3; i++) CHECK(after_vfork());
    printf("06 ok exec=%d exit=%d\n", WEXITSTATUS(st1), WEXITSTATUS(st2));
    return 0;
}
