/* SPDX-License-Identifier: MIT */
/* 39 the arithmetic of generations
 * family: J scale
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 39 ok
 * HOLDS: exit 0, same stdout.  A block belongs to the generation in which it was
 * allocated and keeps it until freed; a freed-and-reused address is a new block
 * of the current generation.  Names may repeat, be empty, long or non-ASCII.
 * LIVE at exit gen=a   site=gen_alloc blocks=6  bytes=600
 * LIVE at exit gen=b   site=gen_alloc blocks=5  bytes=500
 * LIVE at exit gen=c   site=gen_alloc blocks=4  bytes=400 (4 freed addresses reused)
 * diff a -> b at gen_alloc: +5 -4 blocks; diff b -> c: +4 blocks
 * 40 further marks with odd names: none may crash or be mixed up */
#include "mark.h"
SITE static void *gen_alloc(void) { void *p = malloc(100); KEEP(p); return p; }
int main(void) {
    void *a[10];
    char longname[5000];
    MARK("a");
    for (int i = 0; i < 10; i++) CHECK(a[i] = gen_alloc());
    MARK("b");
    for (int i = 0; i < 5; i++) CHECK(gen_alloc());
    for (int i = 0; i < 4; i++) free(a[i]);
    MARK("c");
    for (int i = 0; i < 4; i++) CHECK(gen_alloc());
    memset(longname, 'n', sizeof longname - 1);
    longname[sizeof longname - 1] = 0;
    const char *odd[] = { "", "a", "a", "\xc3\xa4\xe2\x82\xac", "new\nline", "\x1b[31mred",
                          "</script><b>", "\"quote\\", "\xff\xfe bad utf8", longname };
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 10; i++) MARK(odd[i]);
    printf("39 ok\n");
    return 0;
}
