/* SPDX-License-Identifier: MIT */
/* 41 three inlined functions between main and malloc
 * family: K symbols
 * CC: gcc
 * FLAGS: -O2 -fno-builtin -fno-optimize-sibling-calls
 * OUT: 41 ok
 * HOLDS: exit 0, same stdout.  The physical frame is real_frame; DWARF gives the
 * inlined chain.  The return address belongs to the instruction AFTER the call:
 * look up address - 1 or the line (and sometimes the function) is wrong.
 * LIVE gen=last site=inner_inl blocks=8 bytes=88; frames, innermost first:
 *   inner_inl (inlined, line of the malloc) <- middle_inl (inlined) <-
 *   outer_inl (inlined) <- real_frame <- main; the order must not be reversed
 * LIVE gen=last site=other_line blocks=1 bytes=9, on ITS line, not the next one */
#include "mark.h"
#define INL static inline __attribute__((always_inline))
static volatile int sink;
INL void *inner_inl(size_t n) {
    void *p = malloc(n);        /* <- line to be reported for frame inner_inl */
    KEEP(p);
    return p;
}
INL void *middle_inl(size_t n) { void *p = inner_inl(n + 1); KEEP(p); return p; }
INL void *outer_inl(size_t n) { void *p = middle_inl(n + 1); KEEP(p); return p; }
SITE void *real_frame(size_t n) { void *p = outer_inl(n); KEEP(p); return p; }
SITE void *other_line(void) {
    void *p =
        malloc(9);              /* <- line to be reported for frame other_line */
    sink = 1;
    KEEP(p);
    return p;
}
int main(void) {
    MARK("last");
    for (int i = 0; i < 8; i++) CHECK(real_frame(9));
    CHECK(other_line());
    printf("41 ok\n");
    return 0;
}
