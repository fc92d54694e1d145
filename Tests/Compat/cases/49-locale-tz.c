/* SPDX-License-Identifier: MIT */
/* 49 the program changes locale, time zone and the environment while it runs
 * family: M report
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 49 ok 1.5
 * HOLDS: exit 0, same stdout.  The tracker must not use locale or TZ dependent
 * functions, keep pointers into environ (putenv/clearenv here free and move it),
 * or format numbers with snprintf("%f"/"%'d").  The report of this trace is
 * byte-identical under LC_ALL=C, LC_ALL=de_DE.UTF-8, TZ=UTC and TZ=Asia/Kathmandu
 * (times in UTC or marked with their offset; JSON numbers with a point).
 * LIVE gen=last site=kept_l10n blocks=3 bytes=1500 */
#include "mark.h"
#include <locale.h>
#include <time.h>
SITE static void *kept_l10n(void) { void *p = malloc(500); KEEP(p); return p; }
int main(void) {
    const char *names[] = { "de_DE.UTF-8", "tr_TR.UTF-8", "" };
    MARK("last");
    for (int i = 0; i < 3; i++) {
        setlocale(LC_ALL, names[i]);
        setenv("TZ", i % 2 ? "UTC" : "Asia/Kathmandu", 1);
        tzset();
        CHECK(kept_l10n());
        MARK("last");
    }
    clearenv();
    static char e[] = "LC_ALL=de_DE.UTF-8";
    putenv(e);
    for (int i = 0; i < 100; i++) setenv("CASE", i % 2 ? "x" : "a much longer value", 1);
    setlocale(LC_ALL, "C");
    printf("49 ok %.1f\n", 1.5);
    return 0;
}
