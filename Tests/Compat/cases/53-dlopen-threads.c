/* SPDX-License-Identifier: MIT */
/* 53 libraries come and go while other threads allocate
 * family: G modules
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * LIB: 53a -DPLUGIN=plug_a
 * LIB: 53b -DPLUGIN=plug_b
 * OUT: 53 ok rounds=300
 * HOLDS: exit 0, same stdout, no hang. Two threads open, call and close libraries that allocate in constructors and
 * destructors; two more allocate all the time. No lock of the loader's is taken under one of ours.
 * LIVE gen=last site=plug_a blocks=150 bytes=6000
 * LIVE gen=last site=plug_b blocks=150 bytes=6000
 * ABSENT site=at_load
 * ABSENT site=churned */
#include "mark.h"
#if defined(PLUGIN)
static void *held;
SITE static void *at_load(void) { void *p = malloc(123); KEEP(p); return p; }
__attribute__((constructor)) static void begin(void) { held = at_load(); }
__attribute__((destructor)) static void end(void) { free(held); }
SITE void *PLUGIN(void) { void *p = malloc(40); KEEP(p); return p; }
#else
#include <pthread.h>
static volatile int stop;
SITE static void *churned(size_t n) { void *p = malloc(n); KEEP(p); return p; }
static void *churn(void *unused) {
    while (!stop) for (size_t n = 1; n < 300; n++) free(churned(n));
    return unused;
}
static void *come_and_go(void *name) {
    char path[32], symbol[32];
    snprintf(path, sizeof path, "./53%s.so", (char *)name);
    snprintf(symbol, sizeof symbol, "plug_%s", (char *)name);
    for (int i = 0; i < 150; i++) {
        void *h = dlopen(path, i & 1 ? RTLD_NOW : RTLD_LAZY);
        CHECK(h);
        void *(*plug)(void) = (void *(*)(void))dlsym(h, symbol);
        CHECK(plug && plug() && dlclose(h) == 0);
    }
    return 0;
}
int main(void) {
    pthread_t churns[2], loads[2];
    alarm(40);
    MARK("last");
    for (int i = 0; i < 2; i++) CHECK(!pthread_create(&churns[i], 0, churn, 0));
    CHECK(!pthread_create(&loads[0], 0, come_and_go, "a") && !pthread_create(&loads[1], 0, come_and_go, "b"));
    for (int i = 0; i < 2; i++) pthread_join(loads[i], 0);
    stop = 1;
    for (int i = 0; i < 2; i++) pthread_join(churns[i], 0);
    printf("53 ok rounds=300\n");
    return 0;
}
#endif
