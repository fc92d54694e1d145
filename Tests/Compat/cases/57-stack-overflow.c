/* SPDX-License-Identifier: MIT */
/* 57 a handler on an alternate stack catches a real stack overflow
 * family: E signals
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 57 ok overflows=6
 * HOLDS: exit 0, same stdout. The overflow happens in program code or in malloc's caller; the handler runs on its own stack,
 * allocates there, and leaves by siglongjmp. A recorder must not touch the overflowed stack's guard page, and goes on after.
 * LIVE gen=last site=in_handler blocks=6 bytes=240
 * LIVE gen=last site=afterwards blocks=6 bytes=60 */
#include "mark.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static char alternate[65536];
SITE static void *in_handler(void) { void *p = malloc(40); KEEP(p); return p; }
SITE static void *afterwards(void) { void *p = malloc(10); KEEP(p); return p; }
static void on_overflow(int s) { (void)s; CHECK(in_handler()); free(malloc(3000)); siglongjmp(back, 1); }
SITE static int deeper(int n) { volatile char frame[512]; frame[0] = (char)n; return deeper(n + 1) + frame[0]; }
static void *body(void *unused) {
    stack_t s = { .ss_sp = alternate, .ss_size = sizeof alternate };
    CHECK(!sigaltstack(&s, 0));
    for (volatile int i = 0; i < 6; i++) {
        if (sigsetjmp(back, 1) == 0) { free(malloc(100)); deeper(0); }
        CHECK(afterwards());
    }
    return unused;
}
int main(void) {
    struct sigaction a = { .sa_handler = on_overflow, .sa_flags = SA_ONSTACK };
    pthread_attr_t attributes;
    pthread_t t;
    alarm(30);
    MARK("last");
    sigaction(SIGSEGV, &a, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    CHECK(!pthread_create(&t, &attributes, body, 0) && !pthread_join(t, 0));
    printf("57 ok overflows=6\n");
    return 0;
}
