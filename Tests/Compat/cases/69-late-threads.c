/* SPDX-License-Identifier: MIT */
/* 69 threads that still allocate while the process ends
 * family: H exit
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 69 ok ends=5
 * HOLDS: exit 0, same stdout, no hang: exit, _exit, quick_exit, pthread_exit of main and a return, each with threads in
 * the midst of malloc; handlers and destructors that allocate and free run as bare.
 * LIVE site=kept_first blocks=12 bytes=120 */
#include "mark.h"
#include <pthread.h>
#include <sys/wait.h>
SITE static void *kept_first(void) { void *p = malloc(10); KEEP(p); return p; }
static void *churn(void *a) { for (;;) for (size_t n = 1; n < 900; n += 11) free(realloc(malloc(n), n * 2)); return a; }
static void *last(void *a) { usleep(30000); for (int i = 0; i < 1000; i++) free(malloc((size_t)i)); exit(7); return a; }
static void *held;
static void at_end(void) { free(held); held = malloc(99); free(held); }
static int run(int how) {
    pthread_t t;
    held = malloc(55);
    atexit(at_end);
    at_quick_exit(at_end);
    for (int i = 0; i < 3; i++) CHECK(!pthread_create(&t, 0, how == 4 ? last : churn, 0));
    usleep(20000);
    switch (how) {
    case 0: exit(7);
    case 1: _exit(7);
    case 2: quick_exit(7);
    case 3: return 7;
    default: pthread_exit(0);
    }
}
int main(int c, char **v) {
    alarm(40);
    if (c > 1) return run(v[1][0] - '0');
    for (int i = 0; i < 12; i++) CHECK(kept_first());
    int good = 0;
    for (char how[2] = "0"; how[0] < '5'; how[0]++) {
        pid_t p = fork();
        if (p == 0) { execl(v[0], v[0], how, (char *)0); _exit(9); }
        int st;
        CHECK(waitpid(p, &st, 0) == p);
        good += WIFEXITED(st) && WEXITSTATUS(st) == 7;
    }
    printf("69 ok ends=%d\n", good);
    return 0;
}
