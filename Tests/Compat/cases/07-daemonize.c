/* SPDX-License-Identifier: MIT */
/* 07 classic daemon start: fork, setsid, fork, chdir, close every descriptor
 * family: B processes
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 07 ok daemon=6
 * HOLDS: exit 0, same stdout.  The intermediate parents leave by exit(0), i.e.
 * with atexit handlers: they must not write a final record into a trace that
 * another process still uses.  The daemon's blocks belong to its own pid.
 * LIVE gen=last (first process' trace) site=launcher_leak blocks=1 bytes=512
 * ABSENT (first process' trace) site=daemon_leak
 * LIVE (daemon's own trace, if forked children are followed) site=daemon_leak blocks=6 bytes=768 */
#include "mark.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
SITE static void *launcher_leak(void) { void *p = malloc(512); KEEP(p); return p; }
SITE static void *daemon_leak(void) { void *p = malloc(128); KEEP(p); return p; }
int main(void) {
    int pfd[2], st;
    char c = 0;
    alarm(20);
    MARK("last");
    CHECK(launcher_leak());
    CHECK(pipe(pfd) == 0 && dup2(pfd[1], 200) == 200);
    pid_t p = fork();
    CHECK(p >= 0);
    if (!p) {
        setsid();
        p = fork();
        if (p) exit(p < 0);
        CHECK(chdir("/") == 0);
        umask(0);
        for (int fd = 0; fd < 1024; fd++) if (fd != 200) close(fd);
        int n = 0;
        for (int i = 0; i < 6; i++) n += daemon_leak() != 0;
        c = (char)('0' + n);
        exit(write(200, &c, 1) != 1);
    }
    close(pfd[1]);
    close(200);
    CHECK(waitpid(p, &st, 0) == p && WIFEXITED(st) && WEXITSTATUS(st) == 0);
    CHECK(read(pfd[0], &c, 1) == 1);
    printf("07 ok daemon=%c\n", c);
    return 0;
}
