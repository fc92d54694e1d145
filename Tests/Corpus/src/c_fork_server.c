/* SPDX-License-Identifier: MIT */
/* A pre-fork server: the parent only passes requests through a pipe; the child handles them, leaks
 * and marks. The parent's heap is flat and it makes no mark. */
#include "bench.h"
#include <sys/wait.h>
#include <unistd.h>

struct auth { char token[176]; };

static void auth_check(int id)
{
    struct auth *a = malloc(sizeof *a);
    snprintf(a->token, sizeof a->token, "token-%d", id);
    bench_use(a);                           /* forgotten */
}

static int reply_build(int id)
{
    char *r = malloc(512);
    int n = snprintf(r, 512, "reply %d", id);
    bench_use(r);
    free(r);
    return n;
}

static void child_main(int in, int out)
{
    int id;
    while (read(in, &id, sizeof id) == (ssize_t)sizeof id) {
        auth_check(id);
        int n = reply_build(id);
        bench_mark("cycle");
        if (write(out, &n, sizeof n) != (ssize_t)sizeof n) break;
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), to[2], from[2];
    if (pipe(to) || pipe(from)) return 1;
    char *settings = malloc(300);
    memset(settings, 1, 300);
    bench_use(settings);
    pid_t pid = fork();
    if (pid < 0) return 1;
    if (pid == 0) { close(to[1]); close(from[0]); child_main(to[0], from[1]); }
    close(to[0]); close(from[1]);
    for (int i = 0, n; i < cycles; i++) {
        char *copy = malloc(128);
        snprintf(copy, 128, "request %d", i);
        bench_use(copy);
        if (write(to[1], &i, sizeof i) < 0 || read(from[0], &n, sizeof n) < 0) return 1;
        free(copy);
    }
    close(to[1]);
    int st = 0;
    waitpid(pid, &st, 0);
    free(settings);
    return st ? 1 : bench_done(cycles);
}
