/* SPDX-License-Identifier: MIT */
/* 32 the program closes every descriptor it does not know, then reuses them
 * family: I limits
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 32 ok first=3 fd=3 bytes=26
 * HOLDS: exit 0, same stdout; the data file has exactly 26 bytes and the pipe
 * carries exactly what the program wrote.  The tracker must not keep working
 * with descriptor numbers (mapping only), nor leave a descriptor that shifts
 * the numbers the program gets, nor read/write one it no longer owns.
 * LIVE gen=last site=after_close blocks=6000 bytes=600000 */
#include "mark.h"
#include <fcntl.h>
#include <sys/stat.h>
SITE static void *after_close(void) { void *p = malloc(100); KEEP(p); return p; }
int main(void) {
    char buf[64];
    int pfd[2];
    struct stat st;
    free(malloc(1));
    int first = open("/dev/null", O_RDONLY);    /* lowest free number */
    MARK("first");
    for (int fd = 3; fd < 1024; fd++) close(fd);
    int fd = open("32.data", O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(fd == 3 && pipe(pfd) == 0 && pfd[0] == 4 && pfd[1] == 5);
    CHECK(write(fd, "abcdefghijklm", 13) == 13 && write(pfd[1], "pipe", 4) == 4);
    MARK("last");
    for (int i = 0; i < 6000; i++) {
        CHECK(after_close());
        free(malloc(i));
    }
    void *big = malloc(64 << 20);
    free(big);
    CHECK(write(fd, "nopqrstuvwxyz", 13) == 13);
    CHECK(read(pfd[0], buf, sizeof buf) == 4 && !memcmp(buf, "pipe", 4));
    CHECK(fstat(fd, &st) == 0 && pread(fd, buf, sizeof buf, 0) == 26);
    CHECK(!memcmp(buf, "abcdefghijklmnopqrstuvwxyz", 26));
    unlink("32.data");
    printf("32 ok first=%d fd=%d bytes=%d\n", first, fd, (int)st.st_size);
    return 0;
}
