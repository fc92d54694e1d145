/* SPDX-License-Identifier: MIT */
/* 71 a library is replaced on disk while it is loaded, and another of the same path is loaded later
 * family: G modules
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * LIB: 71a -DPLUGIN=first_version -Wl,--build-id
 * LIB: 71b -DPLUGIN=other_version -DPADDING -Wl,--build-id
 * OUT: 71 ok
 * HOLDS: exit 0, same stdout. Each frame belongs to the file that was loaded when its block was allocated; where that file
 * is gone, no name may be taken from the one that took its place.
 * LIVE gen=last site=other_version blocks=5 bytes=500
 * LIVE gen=last site=first_version blocks=4 bytes=400, or its frames have no name */
#include "mark.h"
#if defined(PLUGIN)
#ifdef PADDING
int padding(int n) { int a[64]; for (int i = 0; i < 64; i++) a[i] = n * i; return a[n & 63]; }
#endif
SITE void *PLUGIN(void) { void *p = malloc(100); KEEP(p); return p; }
void *entry(void) { void *p = PLUGIN(); KEEP(p); return p; }
#else
static void copy(const char *from, const char *to) {
    char temporary[64], bytes[4096];
    snprintf(temporary, sizeof temporary, "%s.new", to);
    FILE *a = fopen(from, "rb"), *b = fopen(temporary, "wb");
    CHECK(a && b);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, a)) > 0;) CHECK(fwrite(bytes, 1, n, b) == n);
    CHECK(fclose(a) == 0 && fclose(b) == 0 && rename(temporary, to) == 0);
}
static void use(int n, void **h) {
    CHECK((*h = dlopen("./71.so", RTLD_NOW)));
    void *(*e)(void) = (void *(*)(void))dlsym(*h, "entry");
    for (int i = 0; i < n; i++) CHECK(e && e());
}
int main(void) {
    void *h;
    copy("71a.so", "71.so");
    MARK("last");
    use(4, &h);
    copy("71b.so", "71.so");
    CHECK(dlclose(h) == 0);
    use(5, &h);
    printf("71 ok\n");
    return 0;
}
#endif
