/* SPDX-License-Identifier: MIT */
/* 43 symbol names that attack terminals, HTML, JSON and CSV
 * family: K symbols
 * CC: clang
 * FLAGS: -O1 -fno-builtin
 * OUT: 43 ok
 * HOLDS: exit 0, same stdout.  Text reports must not send the control bytes to a
 * terminal, HTML must escape < > & " ', JSON must stay valid (also for bytes
 * that are not UTF-8), a CSV/gate line must stay one line.
 * LIVE gen=last five sites, one block each of 31, 32, 33, 34, 35 bytes:
 *   evil</script><script>alert(1)</script> | evil ESC ]0;title BEL ESC [2J
 *   evil"quote\,;semi                      | evil LF newline : 99 bytes
 *   evil byte 0xff byte 0xc3 (invalid UTF-8) */
#include "mark.h"
#define EVIL(fn, label) void *fn(size_t n) __asm__(label); \
    SITE void *fn(size_t n) { void *p = malloc(n); KEEP(p); return p; }
EVIL(e1, "evil</script><script>alert(1)</script>")
EVIL(e2, "evil\033]0;title\007\033[2J")
EVIL(e3, "evil\"quote\\,;semi")
EVIL(e4, "evil\nnewline : 99 bytes")
EVIL(e5, "evil\xff\xc3")
int main(void) {
    MARK("last");
    CHECK(e1(31) && e2(32) && e3(33) && e4(34) && e5(35));
    printf("43 ok\n");
    return 0;
}
