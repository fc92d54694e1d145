/* SPDX-License-Identifier: MIT */
/* 60 a thread that is not the first one executes another program
 * family: B processes
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 60 ok second
 * HOLDS: exit 0, same stdout. All other threads vanish, in the midst of allocating, with whatever lock they held; the trace
 * says that the program became another one, and the same file executed again is recorded anew.
 * LIVE gen=last site=before_exec blocks=7 bytes=350
 * LIVE gen=last site=after_exec blocks=3 bytes=27 (own trace) */
#include "mark.h"
#include <pthread.h>
SITE static void *before_exec(void) { void *p = malloc(50); KEEP(p); return p; }
SITE static void *after_exec(void) { void *p = malloc(9); KEEP(p); return p; }
static char *program;
static void *churn(void *a) { for (;;) for (size_t n = 1; n < 500; n += 7) free(malloc(n)); return a; }
static void *change(void *unused) {
    usleep(20000);
    execl(program, program, "second", (char *)0);
    CHECK(!"exec");
    return unused;
}
int main(int c, char **v) {
    alarm(30);
    MARK("last");
    if (c > 1) {
        for (int i = 0; i < 3; i++) CHECK(after_exec());
        printf("60 ok %s\n", v[1]);
        return 0;
    }
    program = v[0];
    for (int i = 0; i < 7; i++) CHECK(before_exec());
    pthread_t t;
    for (int i = 0; i < 3; i++) CHECK(!pthread_create(&t, 0, churn, 0));
    CHECK(!pthread_create(&t, 0, change, 0));
    for (;;) free(malloc(100));
}
