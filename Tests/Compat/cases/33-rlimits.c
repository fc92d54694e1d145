/* SPDX-License-Identifier: MIT */
/* 33 tight RLIMIT_FSIZE, RLIMIT_AS and RLIMIT_NOFILE before the start
 * family: I limits
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 33 ok fd=3 big=0 mid=1
 * HOLDS: exit 0, same stdout.  With RLIMIT_FSIZE=2048 a growing trace file means
 * SIGXFSZ (or SIGBUS in a short mapping): the tracker must notice, give up or
 * use fixed memory, and count what it lost.  RLIMIT_AS=512 MiB forbids large
 * reservations.  RLIMIT_NOFILE=4 leaves one descriptor, which is the program's.
 * LIVE gen=last site=limited blocks=400 bytes=40000, or an explicit
 * "incomplete/not recorded" in the report; never a silent smaller number */
#include "mark.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
SITE static void *limited(void) { void *p = malloc(100); KEEP(p); return p; }
static void limit(int what, rlim_t v) {
    struct rlimit r = { v, v };
    CHECK(!setrlimit(what, &r));
}
int main(int argc, char **argv) {
    if (argc > 1) {
        MARK("last");
        for (int i = 0; i < 400; i++) CHECK(limited());
        int fd = open("/dev/null", O_RDONLY);
        errno = 0;
        void *big = malloc((size_t)1 << 30);
        CHECK(big || errno == ENOMEM);
        void *mid = malloc(64 << 20);
        if (mid) memset(mid, 1, 64 << 20);
        printf("33 ok fd=%d big=%d mid=%d\n", fd, big != 0, mid != 0);
        return 0;
    }
    pid_t p = fork();
    CHECK(p >= 0);
    if (!p) {
        for (int fd = 3; fd < 256; fd++) close(fd);
        limit(RLIMIT_CORE, 0);
        limit(RLIMIT_FSIZE, 2048);
        limit(RLIMIT_NOFILE, 4);
        limit(RLIMIT_AS, (rlim_t)512 << 20);
        execl("/proc/self/exe", argv[0], "child", (char *)0);
        _exit(99);
    }
    int st;
    CHECK(waitpid(p, &st, 0) == p && WIFEXITED(st) && WEXITSTATUS(st) == 0);
    return 0;
}
