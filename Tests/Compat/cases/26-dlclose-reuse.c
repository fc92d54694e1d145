/* SPDX-License-Identifier: MIT */
/* 26 a library is unloaded and another is mapped at the same addresses
 * family: G modules
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * LIB: 26a -DLIB_A
 * LIB: 26b -DLIB_B
 * OUT: 26 ok
 * HOLDS: exit 0, same stdout.  A raw address is only meaningful together with
 * the module map of the moment: frames must be resolved against the library
 * that was loaded when the block was allocated.
 * LIVE gen=last site=alpha_leak (in 26a.so) blocks=9 bytes=900
 * LIVE gen=last site=beta_leak  (in 26b.so) blocks=12 bytes=1200 */
#include "mark.h"
#if defined(LIB_A)
SITE static void *alpha_leak(void) { void *p = malloc(100); KEEP(p); return p; }
void *entry(void) { void *p = alpha_leak(); KEEP(p); return p; }
#elif defined(LIB_B)
SITE static void *beta_leak(void) { void *p = malloc(100); KEEP(p); return p; }
void *entry(void) { void *p = beta_leak(); KEEP(p); return p; }
#else
static void use(const char *so, int n) {
    void *h = dlopen(so, RTLD_NOW);
    CHECK(h);
    void *(*e)(void) = (void *(*)(void))dlsym(h, "entry");
    CHECK(e);
    for (int i = 0; i < n; i++) CHECK(e());
    CHECK(dlclose(h) == 0);
}
int main(void) {
    MARK("last");
    for (int r = 0; r < 3; r++) { use("./26a.so", 3); use("./26b.so", 4); }
    printf("26 ok\n");
    return 0;
}
#endif
