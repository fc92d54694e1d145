/* SPDX-License-Identifier: MIT */
/* 52 a namespace of its own (dlmopen) has its own libc, and its own heap
 * family: G modules
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * LIB: 52 -DPLUGIN
 * OUT: 52 ok calls=40
 * HOLDS: exit 0, same stdout. Code of the namespace runs on other copies of libc; its blocks are its own. Callbacks into
 * the program, below frames of the namespace, allocate and are recorded with whole stacks.
 * LIVE gen=last site=call_back blocks=40 bytes=2000 */
#include "mark.h"
#if defined(PLUGIN)
SITE void *plugin_call(void *(*call)(void)) {
    void *own = malloc(500);
    memset(own, 1, 500);
    void *p = call();
    free(own);
    KEEP(p);
    return p;
}
#else
SITE static void *call_back(void) { void *p = malloc(50); KEEP(p); return p; }
int main(void) {
    int calls = 0;
    MARK("last");
    for (int round = 0; round < 4; round++) {
        void *h = dlmopen(LM_ID_NEWLM, "./52.so", RTLD_NOW);
        CHECK(h);
        void *(*call)(void *(*)(void)) = (void *(*)(void *(*)(void)))dlsym(h, "plugin_call");
        CHECK(call);
        for (int i = 0; i < 10; i++) { CHECK(call(call_back)); calls++; }
        CHECK(dlclose(h) == 0);
    }
    printf("52 ok calls=%d\n", calls);
    return 0;
}
#endif
