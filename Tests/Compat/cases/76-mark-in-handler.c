/* SPDX-License-Identifier: MIT */
/* 76 marks in a signal handler that interrupts malloc
 * family: H signals
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 76 ok
 * HOLDS: exit 0, same stdout. The handler comes while the thread holds a lock of the allocator: a mark that asked for that lock
 * would wait for ever.
 * LIVE gen=last site=kept blocks=100 bytes=4000 */
#include "mark.h"
#include <signal.h>
#include <sys/time.h>
#define TICKS 100
static volatile sig_atomic_t ticks;
SITE static void *kept(void) { void *p = malloc(40); KEEP(p); return p; }
/* Looked up before: a look-up that fails allocates, which a handler may not. */
static void (*mark)(const char *);
static void on_tick(int s) { (void)s; if (mark) mark("tick"); ticks++; }
int main(void) {
    struct itimerval every = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    void *ring[64] = {0};
    *(void **)&mark = dlsym(RTLD_DEFAULT, MARK_SYM);
    signal(SIGALRM, on_tick);
    setitimer(ITIMER_REAL, &every, NULL);
    for (unsigned i = 0; ticks < TICKS; i++) {
        free(ring[i % 64]);
        ring[i % 64] = malloc(3000 + i % 5000);     /* not from the thread's own cache: under the lock of the arena */
    }
    setitimer(ITIMER_REAL, &never, NULL);
    MARK("last");
    for (int i = 0; i < 100; i++) CHECK(kept());
    printf("76 ok\n");
    return 0;
}
