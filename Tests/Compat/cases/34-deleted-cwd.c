/* SPDX-License-Identifier: MIT */
/* 34 no usable place: deleted working directory, bad TMPDIR, no HOME, odd argv
 * family: I limits
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 34 ok
 * HOLDS: exit 0, same stdout.  getcwd() fails with ENOENT, TMPDIR does not
 * exist, HOME is unset, argv[0] is empty, argv has a newline.  A trace that
 * cannot be created must never stop or delay the program; a relative output
 * path is fixed at start, and one "genmark:" line on stderr is allowed.
 * LIVE gen=last site=homeless blocks=2 bytes=110 (when an absolute trace path was given) */
#include "mark.h"
#include <sys/wait.h>
SITE static void *homeless(void) { void *p = malloc(55); KEEP(p); return p; }
int main(int argc, char **argv) {
    if (argc > 1) {
        char b[16];
        CHECK(!getcwd(b, 0) || 1);
        MARK("last");
        CHECK(homeless() && homeless());
        CHECK(chdir("/") == 0);
        printf("34 ok\n");
        return 0;
    }
    (void)argv;
    char dir[] = "/tmp/case34.XXXXXX", *args[] = { (char *)"", (char *)"two\nlines", 0 };
    CHECK(mkdtemp(dir) && chdir(dir) == 0 && rmdir(dir) == 0);
    setenv("TMPDIR", "/nonexistent/dir", 1);
    unsetenv("HOME");
    pid_t p = fork();
    CHECK(p >= 0);
    if (!p) { execv("/proc/self/exe", args); _exit(99); }
    int st;
    CHECK(waitpid(p, &st, 0) == p && WIFEXITED(st) && WEXITSTATUS(st) == 0);
    return 0;
}
