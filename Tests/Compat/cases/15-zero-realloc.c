/* SPDX-License-Identifier: MIT */
/* 15 malloc(0), realloc(NULL,n), realloc(p,0), shrinking and moving realloc
 * family: D API contract
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 15 ok
 * HOLDS: exit 0, same stdout (glibc: realloc(p,0) frees and returns NULL).  A
 * realloc updates one record: the size is the LAST requested one, the old
 * address is gone, a NULL result of realloc(p,0) is a free and not a failure.
 * LIVE gen=last site=zero_keep    blocks=5  bytes=0
 * LIVE gen=last site=null_realloc blocks=1  bytes=123
 * LIVE gen=last site=shrink       blocks=1  bytes=10
 * LIVE gen=last site=move_up      blocks=1  bytes=700000
 * ABSENT site=to_zero */
#include "mark.h"
#include <errno.h>
SITE static void *zero_keep(void) { void *p = malloc(0); KEEP(p); return p; }
SITE static void *null_realloc(void) { void *p = realloc(0, 123); KEEP(p); return p; }
SITE static char *shrink(void) {
    char *p = malloc(5000);
    memset(p, 'x', 5000);
    p = realloc(p, 10);
    KEEP(p);
    return p;
}
SITE static char *move_up(void) {
    char *p = malloc(16);
    memset(p, 'y', 16);
    for (size_t n = 32; n < 700000; n *= 2) p = realloc(p, n);
    p = realloc(p, 700000);
    KEEP(p);
    return p;
}
SITE static void *to_zero(void) {
    void *p = malloc(40);
    errno = 3;
    p = realloc(p, 0);
    KEEP(p);
    return p;
}
int main(void) {
    void *z[5];
    MARK("last");
    for (int i = 0; i < 5; i++) {
        z[i] = zero_keep();
        CHECK(z[i]);
        for (int k = 0; k < i; k++) CHECK(z[k] != z[i]);
    }
    CHECK(null_realloc());
    char *s = shrink(), *m = move_up();
    CHECK(s && s[9] == 'x' && m && m[15] == 'y');
    for (int i = 0; i < 50; i++) CHECK(!to_zero() && errno == 3);
    free(0);
    printf("15 ok\n");
    return 0;
}
