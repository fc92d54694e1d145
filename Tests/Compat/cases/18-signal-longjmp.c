/* SPDX-License-Identifier: MIT */
/* 18 a signal handler allocates and leaves with siglongjmp
 * family: E signals
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 18 ok jumps=6
 * HOLDS: exit 0, same stdout.  Signals arrive only in program code, never in
 * libc's malloc.  A re-entry guard or lock of the tracker must never stay set
 * after the jump: everything after it must still be recorded, on both the
 * raise() path and the SIGSEGV path.
 * LIVE gen=last site=handler_alloc blocks=6 bytes=660
 * LIVE gen=last site=after_jump    blocks=6 bytes=72 */
#include "mark.h"
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf jb;
SITE static void *handler_alloc(void) { void *p = malloc(110); KEEP(p); return p; }
SITE static void *after_jump(void) { void *p = malloc(12); KEEP(p); return p; }
static void on_sig(int s) {
    (void)s;
    CHECK(handler_alloc());
    free(malloc(5000));
    siglongjmp(jb, 1);
}
static volatile int *null_ptr;
int main(void) {
    struct sigaction sa;
    volatile int jumps = 0;
    memset(&sa, 0, sizeof sa);
    sa.sa_handler = on_sig;
    CHECK(!sigaction(SIGUSR1, &sa, 0) && !sigaction(SIGSEGV, &sa, 0));
    MARK("last");
    for (volatile int i = 0; i < 6; i++) {
        if (!sigsetjmp(jb, 1)) {
            if (i % 2) raise(SIGUSR1);
            else *null_ptr = 1;
            CHECK(!"not reached");
        }
        jumps++;
        CHECK(after_jump());
    }
    printf("18 ok jumps=%d\n", jumps);
    return 0;
}
