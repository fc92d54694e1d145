/* SPDX-License-Identifier: MIT */
/* 21 coroutines on small mmap'ed stacks with a guard page
 * family: F stacks
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 21 ok steps=30
 * HOLDS: exit 0, same stdout.  The stack pointer is outside the thread's stack:
 * unwinding must stop at the end of the coroutine's stack, use little stack of
 * its own (16 KiB here), and not read the guard page or beyond.
 * LIVE gen=last site=co_body blocks=30 bytes=2100; frames co_body <- co_entry,
 * then the end of the stack (no main, no invented frames) */
#include "mark.h"
#include <sys/mman.h>
#include <ucontext.h>
enum { N = 3, STK = 16384 };
static ucontext_t mainc, co[N];
static int steps;
SITE static void *co_body(void) { void *p = malloc(70); KEEP(p); return p; }
SITE static void co_entry(int id) {
    for (int i = 0; i < 10; i++) {
        CHECK(co_body());
        free(malloc(1000));
        steps++;
        swapcontext(&co[id], &mainc);
    }
}
int main(void) {
    MARK("last");
    for (int i = 0; i < N; i++) {
        char *m = mmap(0, STK + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(m != MAP_FAILED && !mprotect(m + 4096, STK, PROT_READ | PROT_WRITE));
        CHECK(!getcontext(&co[i]));
        co[i].uc_stack.ss_sp = m + 4096;
        co[i].uc_stack.ss_size = STK;
        co[i].uc_link = &mainc;
        makecontext(&co[i], (void (*)(void))co_entry, 1, i);
    }
    for (int r = 0; r < 10; r++)
        for (int i = 0; i < N; i++) CHECK(!swapcontext(&mainc, &co[i]));
    printf("21 ok steps=%d\n", steps);
    return 0;
}
