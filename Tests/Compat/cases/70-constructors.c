/* SPDX-License-Identifier: MIT */
/* 70 constructors, resolvers and thread-local storage of libraries that are set up before and after the recorder
 * family: A init+TLS
 * CC: gcc
 * FLAGS: -O1 -fno-builtin -rdynamic
 * LIB: 70tls -DPLUGIN
 * OUT: 70 ok tls=12 order=abc
 * HOLDS: exit 0, same stdout. Blocks of a preinit function are freed by a constructor, reallocated by main and freed by a
 * destructor; a library with large dynamic TLS is opened after threads have begun, so that libc allocates it in their midst.
 * LIVE site=grown blocks=1 bytes=5000
 * LIVE site=kept_by_tls blocks=12 bytes=144
 * ABSENT site=before_all */
#include "mark.h"
#include <pthread.h>
#if defined(PLUGIN)
static __thread char large[200000];
static __thread void *mine;
SITE static void *kept_by_tls(void) { void *p = malloc(12); KEEP(p); return p; }
int plugin_touch(void) { large[199999]++; mine = kept_by_tls(); return mine != 0 && large[0] == 0; }
#else
static char order[8];
static void *freed_by_constructor, *regrown, *freed_by_destructor;
SITE static void *before_all(size_t n) { void *p = malloc(n); KEEP(p); return p; }
SITE static void *grown(size_t n) { void *p = calloc(1, n); KEEP(p); return p; }
static void pre(int c, char **v, char **e) {
    (void)c; (void)v; (void)e;
    freed_by_constructor = before_all(100);
    freed_by_destructor = before_all(101);
    regrown = grown(50);
    order[strlen(order)] = 'a';
}
__attribute__((section(".preinit_array"), used)) static void (*pre_entry)(int, char **, char **) = pre;
__attribute__((constructor(101))) static void first(void) { free(freed_by_constructor); order[strlen(order)] = 'b'; }
__attribute__((constructor(65000))) static void second(void) { order[strlen(order)] = 'c'; }
__attribute__((destructor)) static void at_end(void) { free(freed_by_destructor); free(before_all(7)); }
static int good;
static int (*touch)(void);
static pthread_barrier_t opened;
static void *body(void *a) {
    free(malloc(10));
    pthread_barrier_wait(&opened);
    pthread_barrier_wait(&opened);
    if (touch()) __atomic_fetch_add(&good, 1, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t t[12];
    alarm(30);
    CHECK(regrown = realloc(regrown, 5000));
    pthread_barrier_init(&opened, 0, 13);
    for (int i = 0; i < 12; i++) CHECK(!pthread_create(&t[i], 0, body, 0));
    pthread_barrier_wait(&opened);
    void *h = dlopen("./70tls.so", RTLD_NOW);
    CHECK(h && (touch = (int (*)(void))dlsym(h, "plugin_touch")));
    pthread_barrier_wait(&opened);
    for (int i = 0; i < 12; i++) pthread_join(t[i], 0);
    printf("70 ok tls=%d order=%s\n", good, order);
    return 0;
}
#endif
