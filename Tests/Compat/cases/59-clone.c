/* SPDX-License-Identifier: MIT */
/* 59 children by clone, _Fork, posix_spawn and vfork, and children of children
 * family: B processes
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 59 ok children=10 echo=true
 * HOLDS: exit 0, same stdout, no hang, while two threads allocate. A child that shares our memory for a moment, one that has a
 * copy of it, and grandchildren must neither write into this trace nor end it.
 * LIVE gen=last site=parent_kept blocks=10 bytes=900
 * ABSENT site=of_child */
#include "mark.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
extern char **environ;
static volatile int stop;
SITE static void *parent_kept(void) { void *p = malloc(90); KEEP(p); return p; }
SITE static void *of_child(void) { void *p = malloc(333); KEEP(p); return p; }
static void *churn(void *a) {
    while (!stop) for (size_t n = 1; n < 500; n += 7) free(malloc(n));
    return a;
}
static void allocate(void) { for (int i = 0; i < 100; i++) { CHECK(of_child()); free(malloc((size_t)i)); } }
static int ended_well(pid_t p) { int st; return p > 0 && waitpid(p, &st, 0) == p && WIFEXITED(st) && WEXITSTATUS(st) == 0; }
static int shares(void *unused) { (void)unused; syscall(SYS_exit, 0); return 0; }
static int copies(void *unused) { (void)unused; allocate(); _exit(0); }
static char stack[65536] __attribute__((aligned(16)));
int main(void) {
    pthread_t t[2];
    int good = 0;
    alarm(40);
    MARK("last");
    for (int i = 0; i < 2; i++) CHECK(!pthread_create(&t[i], 0, churn, 0));
    for (int round = 0; round < 2; round++) {
        good += ended_well(clone(shares, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, 0));
        good += ended_well(clone(copies, stack + sizeof stack, SIGCHLD, 0));
        CHECK(parent_kept());
        pid_t p = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (p == 0) {
            allocate();
            pid_t q = fork();
            if (q == 0) { allocate(); pid_t r = fork(); if (r == 0) { allocate(); _exit(0); } _exit(!ended_well(r)); }
            _exit(!ended_well(q));
        }
        good += ended_well(p);
        char *words[] = { "true", 0 };
        CHECK(posix_spawnp(&p, "true", 0, 0, words, environ) == 0);
        good += ended_well(p);
        p = vfork();
        if (p == 0) { execvp("true", words); _exit(1); }
        good += ended_well(p);
        for (int i = 0; i < 4; i++) CHECK(parent_kept());
    }
    stop = 1;
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    char text[16] = "";
    FILE *f = popen("echo true", "r");
    CHECK(f && fgets(text, sizeof text, f) && pclose(f) == 0 && system("exit 0") == 0);
    text[4] = 0;
    printf("59 ok children=%d echo=%s\n", good, text);
    return 0;
}
