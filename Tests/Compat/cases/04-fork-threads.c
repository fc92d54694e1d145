/* SPDX-License-Identifier: MIT */
/* 04 fork() while other threads allocate; the child allocates before _exit
 * family: B processes
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 04 ok forks=30
 * HOLDS: exit 0, same stdout, no hang (alarm 30 in parent and child): every
 * lock the tracker owns must be usable in the child.  Blocks that exist only in
 * a child must never enter the parent's trace, and a child that leaves by
 * _exit must not finish or truncate the parent's trace.
 * LIVE gen=last (parent's trace) site=parent_kept blocks=2 bytes=2000
 * ABSENT (parent's trace) site=child_only */
#include "mark.h"
#include <pthread.h>
#include <sys/wait.h>
static volatile int stop;
static void *hammer(void *a) {
    unsigned s = (unsigned)(size_t)a;
    while (!stop) {
        s = s * 1103515245u + 12345u;
        void *p = malloc(16 + s % 2000);
        KEEP(p);
        free(p);
        if (s % 64 == 0) usleep(50);
    }
    return 0;
}
SITE static void *parent_kept(void) { void *p = malloc(1000); KEEP(p); return p; }
SITE static void *child_only(void) { void *p = malloc(333); KEEP(p); return p; }
int main(void) {
    pthread_t t[3];
    alarm(30);
    MARK("last");
    CHECK(parent_kept());
    for (size_t i = 0; i < 3; i++) CHECK(!pthread_create(&t[i], 0, hammer, (void *)(i + 1)));
    int good = 0;
    for (int i = 0; i < 30; i++) {
        pid_t p = fork();
        CHECK(p >= 0);
        if (p == 0) {
            alarm(10);
            for (int k = 0; k < 50; k++) { CHECK(child_only()); free(malloc(k)); }
            _exit(0);
        }
        int st;
        CHECK(waitpid(p, &st, 0) == p);
        good += WIFEXITED(st) && WEXITSTATUS(st) == 0;
    }
    stop = 1;
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    CHECK(parent_kept());
    printf("04 ok forks=%d\n", good);
    return 0;
}
