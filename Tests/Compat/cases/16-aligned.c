/* SPDX-License-Identifier: MIT */
/* 16 every aligned entry point: real alignment, real sizes, all tracked
 * family: D API contract
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 16 ok
 * HOLDS: exit 0, same stdout.  Headers put in front of blocks break alignment;
 * blocks from these calls are freed and realloc'ed by the ordinary functions.
 * LIVE gen=last site=al_posix   blocks=3 bytes=300   (alignments 16, 4096, 1 MiB)
 * LIVE gen=last site=al_c11     blocks=1 bytes=256
 * LIVE gen=last site=al_mem     blocks=1 bytes=99
 * LIVE gen=last site=al_page    blocks=1 bytes=5     (valloc: requested size)
 * ABSENT site=al_moved's old address; its block lives with bytes=4000, blocks=1 */
#include "mark.h"
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#define ALIGNED(p, a) ((uintptr_t)(p) % (a) == 0)
SITE static void *al_posix(size_t a) {
    void *p = 0;
    CHECK(posix_memalign(&p, a, 100) == 0 && p && ALIGNED(p, a));
    KEEP(p);
    return p;
}
SITE static void *al_c11(void) { void *p = aligned_alloc(128, 256); KEEP(p); return p; }
SITE static void *al_mem(void) { void *p = memalign(512, 99); KEEP(p); return p; }
SITE static void *al_page(void) { void *p = valloc(5); KEEP(p); return p; }
SITE static char *al_moved(void) {
    char *p = memalign(4096, 60);
    CHECK(p && ALIGNED(p, 4096));
    strcpy(p, "moved");
    p = realloc(p, 4000);
    KEEP(p);
    return p;
}
int main(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    MARK("last");
    CHECK(al_posix(16) && al_posix(4096) && al_posix(1 << 20));
    CHECK(ALIGNED(al_c11(), 128) && ALIGNED(al_mem(), 512) && ALIGNED(al_page(), page));
    CHECK(!strcmp(al_moved(), "moved"));
    void *v = pvalloc(1);                       /* rounds up to a page */
    CHECK(v && ALIGNED(v, page) && malloc_usable_size(v) >= page);
    free(v);
    for (size_t a = 8; a <= 65536; a *= 2) {
        void *p = memalign(a, 3);
        CHECK(p && ALIGNED(p, a) && malloc_usable_size(p) >= 3);
        free(p);
    }
    void *p = aligned_alloc(3, 10);             /* libc may refuse or round up */
    CHECK(p || errno == EINVAL);
    free(p);
    printf("16 ok\n");
    return 0;
}
