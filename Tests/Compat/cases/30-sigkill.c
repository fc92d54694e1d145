/* SPDX-License-Identifier: MIT */
/* 30 the process is killed with SIGKILL right after its last allocation
 * family: H exit
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 30 ok signal=9
 * HOLDS: exit 0, same stdout.  The victim is exec'd, so it is a process of its
 * own; its trace must be complete up to the last returned allocation without
 * any flush at exit, and readable while it is not marked as finished.
 * LIVE (victim's trace) gen=one site=before_mark blocks=2 bytes=400
 * LIVE (victim's trace) gen=two site=before_kill blocks=5 bytes=1000 */
#include "mark.h"
#include <signal.h>
#include <sys/wait.h>
SITE static void *before_mark(void) { void *p = malloc(200); KEEP(p); return p; }
SITE static void *before_kill(void) { void *p = malloc(200); KEEP(p); return p; }
int main(int argc, char **argv) {
    if (argc > 1) {
        MARK("one");
        CHECK(before_mark() && before_mark());
        MARK("two");
        for (int i = 0; i < 5; i++) CHECK(before_kill());
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    pid_t p = fork();
    CHECK(p >= 0);
    if (!p) { execl("/proc/self/exe", argv[0], "victim", (char *)0); _exit(99); }
    int st;
    CHECK(waitpid(p, &st, 0) == p && WIFSIGNALED(st));
    printf("30 ok signal=%d\n", WTERMSIG(st));
    return 0;
}
