/* SPDX-License-Identifier: MIT */
/* 29 work after main: atexit, on_exit and destructors allocate and free
 * family: H exit
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 29 ok
 * HOLDS: exit 0, same stdout.  Handlers run both before and after the tracker's
 * own exit handler: later calls must work, be recorded, and must not be written
 * into an unmapped or closed trace.  What a handler frees is not a leak.
 * LIVE gen=last site=late_leak blocks=3 bytes=210
 * LIVE gen=last site=dtor_late blocks=1 bytes=71
 * ABSENT site=freed_late */
#include "mark.h"
static void *pending[50];
SITE static void *freed_late(void) { void *p = malloc(900); KEEP(p); return p; }
SITE static void *late_leak(void) { void *p = malloc(70); KEEP(p); return p; }
SITE static void *dtor_late(void) { void *p = malloc(71); KEEP(p); return p; }
static void at_exit_fn(void) {
    for (int i = 0; i < 25; i++) free(pending[i]);
    CHECK(late_leak() && late_leak());
}
static void on_exit_fn(int st, void *a) {
    CHECK(st == 0 && a == pending && late_leak());
}
__attribute__((destructor(101))) static void fini(void) {
    for (int i = 25; i < 50; i++) free(pending[i]);
    CHECK(dtor_late());
    for (int i = 0; i < 1000; i++) free(malloc(i));
}
int main(void) {
    CHECK(!atexit(at_exit_fn) && !on_exit(on_exit_fn, pending));
    MARK("last");
    for (int i = 0; i < 50; i++) CHECK(pending[i] = freed_late());
    printf("29 ok\n");
    return 0;
}
