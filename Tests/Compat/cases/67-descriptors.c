/* SPDX-License-Identifier: MIT */
/* 67 close_range over everything, and the numbers of descriptors as without a recorder
 * family: I limits
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 67 ok first=3 second=0 maps=1
 * HOLDS: exit 0, same stdout. The recorder holds no descriptor, opens none in allocations, and needs none of 0, 1 and 2.
 * LIVE site=kept blocks=3000 bytes=120000 */
#include "mark.h"
#include <fcntl.h>
#include <sys/syscall.h>
SITE static void *kept(int deep) { void *p = deep ? kept(deep - 1) : malloc(40); KEEP(p); return p; }
int main(void) {
    int first = open("/dev/null", O_RDONLY);
    for (int i = 0; i < 1000; i++) CHECK(kept(i % 30));
    int out = dup(1);
    CHECK(dup2(out, 900) == 900 && syscall(SYS_close_range, 0, 899, 0) == 0);
    int second = -1;
    for (int i = 0; i < 2000; i++) {
        CHECK(kept(i % 50));
        MARK("closed");
        int fd = open("/dev/null", O_WRONLY);
        second = second < fd ? fd : second;
        close(fd);
    }
    CHECK(open("/dev/null", O_WRONLY) == 0 && dup2(900, 1) == 1 && close(900) == 0);
    int maps = open("/proc/self/maps", O_RDONLY);
    printf("67 ok first=%d second=%d maps=%d\n", first, second, maps >= 0);
    return 0;
}
