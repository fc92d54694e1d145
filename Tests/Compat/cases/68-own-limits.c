/* SPDX-License-Identifier: MIT */
/* 68 a program that limits its own memory, to little
 * family: I limits
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 68 ok as=1 data=1 again=1
 * HOLDS: exit 0, same stdout. RLIMIT_AS or RLIMIT_DATA of 16 MiB, set by the program: of that it must get what it gets bare
 * (here 8 MiB in blocks of 64 KiB, and as many small ones as fit into 1 MiB more), and failure comes as ENOMEM.
 * LIVE site=limited blocks=1 bytes=1000 */
#include "mark.h"
#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
SITE static void *limited(size_t n) { void *p = malloc(n); KEEP(p); return p; }
static int enough(int what) {
    struct rlimit r = { 16 << 20, 16 << 20 };
    pid_t p = fork();
    CHECK(p >= 0);
    if (p == 0) {
        CHECK(!setrlimit(what, &r));
        for (int i = 0; i < 128; i++) if (!limited(65536)) _exit(1);
        for (int i = 0; i < 10000; i++) if (!limited(100)) _exit(2);
        errno = 0;
        _exit(limited(32 << 20) || errno != ENOMEM ? 3 : 0);
    }
    int st;
    CHECK(waitpid(p, &st, 0) == p);
    return WIFEXITED(st) && WEXITSTATUS(st) == 0;
}
int main(int c, char **v) {
    CHECK(limited(1000));
    if (c > 1) {      /* in the recorded process itself */
        struct rlimit r = { 16 << 20, 16 << 20 };
        CHECK(!setrlimit(v[1][0] == 'a' ? RLIMIT_AS : RLIMIT_DATA, &r));
        for (int i = 0; i < 128; i++) if (!limited(65536)) return 1;
        for (int i = 0; i < 10000; i++) if (!limited(100)) return 2;
        errno = 0;
        return limited(32 << 20) || errno != ENOMEM ? 3 : 0;
    }
    int as = enough(RLIMIT_AS), data = enough(RLIMIT_DATA), again = 1;
    for (int i = 0; i < 2; i++) {
        pid_t p = fork();
        if (p == 0) { execl(v[0], v[0], i ? "data" : "as", (char *)0); _exit(9); }
        int st;
        CHECK(waitpid(p, &st, 0) == p);
        if (!WIFEXITED(st) || WEXITSTATUS(st)) again = 0;
    }
    printf("68 ok as=%d data=%d again=%d\n", as, data, again);
    return 0;
}
