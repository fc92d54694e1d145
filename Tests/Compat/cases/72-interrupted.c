/* SPDX-License-Identifier: MIT */
/* 72 signals all the time: EINTR as bare, handlers that allocate, masks and dispositions untouched
 * family: E signals
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 72 ok reads=200 eintr=1 default=64
 * HOLDS: exit 0, same stdout. A timer interrupts recorded allocations all the time; a blocking read is interrupted with
 * EINTR once for each raise, every disposition is the default before the program sets one, and no signal is blocked.
 * LIVE site=of_handler blocks=200 bytes=3400 */
#include "mark.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
static int ticks, ends[2];
static volatile sig_atomic_t wanted;
static int done;
SITE static void *of_handler(void) { void *p = malloc(17); KEEP(p); return p; }
static void on_tick(int s) { (void)s; ticks++; }
static void on_usr(int s) { (void)s; if (wanted == 1) { CHECK(of_handler()); wanted = 2; } }
static void *poke(void *main_thread) {      /* more than once, should the first come before the read */
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
        usleep(50);
        if (wanted) pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
    }
    return 0;
}
int main(void) {
    alarm(50);
    int defaults = 0, reads = 0, eintr = 1;
    for (int s = 1; s <= 64; s++) {
        struct sigaction a = {0};
        if (sigaction(s, 0, &a) != 0 || a.sa_handler == SIG_DFL) defaults++;
    }
    sigset_t mask;
    CHECK(!pthread_sigmask(SIG_SETMASK, 0, &mask) && !sigismember(&mask, SIGUSR1) && !sigismember(&mask, SIGALRM));
    struct sigaction tick = { .sa_handler = on_tick, .sa_flags = SA_RESTART }, usr = { .sa_handler = on_usr };
    sigaction(SIGPROF, &tick, 0);
    sigaction(SIGUSR1, &usr, 0);
    struct itimerval every = { { 0, 500 }, { 0, 500 } };
    setitimer(ITIMER_PROF, &every, 0);
    for (int i = 0; i < 300000; i++) { void *p = malloc((size_t)(i % 700)); KEEP(p); free(p); }
    struct itimerval never = {0};
    setitimer(ITIMER_PROF, &never, 0);
    pthread_t self = pthread_self(), t;
    CHECK(!pipe(ends) && !pthread_create(&t, 0, poke, &self));
    for (int i = 0; i < 200; i++) {
        char c;
        wanted = 1;
        while (wanted == 1) if (read(ends[0], &c, 1) != -1 || errno != EINTR) eintr = 0;
        reads++;
    }
    wanted = 0;
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    pthread_join(t, 0);
    printf("72 ok reads=%d eintr=%d default=%d\n", reads, eintr, defaults);
    return 0;
}
