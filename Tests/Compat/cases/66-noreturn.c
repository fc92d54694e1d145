/* SPDX-License-Identifier: MIT */
/* 66 calls that do not return, at the very end of functions, and frames below signals
 * family: F stacks
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 66 ok
 * HOLDS: exit 0, same stdout. After a call of a noreturn function there may be no code: the return address is the next
 * function's first byte, and a frame must be looked up by the byte before it. A signal frame's is exact: there not.
 * LIVE gen=last site=dies_here blocks=20 bytes=640
 * LIVE gen=last site=interrupted blocks=20 bytes=480
 * LIVE gen=last site=in_handler blocks=20 bytes=480
 * ABSENT site=wrong_one */
#include "mark.h"
#include <setjmp.h>
#include <signal.h>
static jmp_buf out;
static volatile int turn;
__attribute__((noinline, noreturn)) static void leave(void *p) { KEEP(p); longjmp(out, 1); }
__attribute__((noinline, noreturn)) static void takes_and_leaves(void) { void *p = malloc(32); leave(p); }
__attribute__((noinline, noreturn)) static void dies_here(void) { takes_and_leaves(); }
SITE int wrong_one(int n) { return n * 3 + turn; }
SITE static void *in_handler(void) { void *p = malloc(24); KEEP(p); return p; }
static void on_signal(int s) { (void)s; CHECK(in_handler()); }
__attribute__((noinline)) static void interrupted(pid_t me) {
    __asm__ volatile("" : : : "memory");
    kill(me, SIGUSR2);      /* delivered before kill returns */
    turn++;
}
int main(void) {
    signal(SIGUSR2, on_signal);
    MARK("last");
    for (volatile int i = 0; i < 20; i++) {
        if (setjmp(out) == 0) dies_here();
        interrupted(getpid());
        turn = wrong_one(turn) & 7;
    }
    printf("66 ok\n");
    return 0;
}
