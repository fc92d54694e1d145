/* SPDX-License-Identifier: MIT */
/* 05 an exec'd child inherits the environment and must not clobber the trace
 * family: B processes
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 05 ok child=7
 * HOLDS: exit 0, same stdout.  The child has its own pid, trace (or none).
 * LIVE gen=last (parent's trace) site=parent_leak blocks=5 bytes=5000
 * ABSENT (parent's trace) site=child_leak
 * LIVE (child's own trace, if children are followed) site=child_leak blocks=7 bytes=350 */
#include "mark.h"
#include <sys/wait.h>
SITE static void *parent_leak(void) { void *p = malloc(1000); KEEP(p); return p; }
SITE static void *child_leak(void) { void *p = malloc(50); KEEP(p); return p; }
int main(int argc, char **argv) {
    if (argc > 1) {
        int n = 0;
        MARK("last");
        for (int i = 0; i < 7; i++) n += child_leak() != 0;
        return n;
    }
    MARK("last");
    for (int i = 0; i < 3; i++) CHECK(parent_leak());
    pid_t p = fork();
    CHECK(p >= 0);
    if (!p) { execl("/proc/self/exe", argv[0], "child", (char *)0); _exit(99); }
    int st;
    CHECK(waitpid(p, &st, 0) == p && WIFEXITED(st));
    for (int i = 0; i < 2; i++) CHECK(parent_leak());
    printf("05 ok child=%d\n", WEXITSTATUS(st));
    return 0;
}
