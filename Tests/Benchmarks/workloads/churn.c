// SPDX-License-Identifier: MIT
// w1 churn: N pairs of malloc/free, sizes 16..512, fixed call depth by noinline recursion,
// 64 distinct malloc call sites (x4 distinct recursion paths = 256 distinct stacks).
// usage: w1_churn [npairs_millions=20] [depth=12] [reps=1]
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NI __attribute__((noinline))
static volatile unsigned sink;
static inline uint64_t rnd(uint64_t *s) {
    uint64_t x = *s;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *s = x;
}
#define SITE(n)                                                                                                        \
    static NI void *site##n(size_t sz) {                                                                               \
        char *p = malloc(sz);                                                                                          \
        p[0] = (char)n;                                                                                                \
        p[sz - 1] = (char)n;                                                                                           \
        __asm__ volatile("" ::: "memory");                                                                             \
        return p;                                                                                                      \
    }
#define S4(a) SITE(a##0) SITE(a##1) SITE(a##2) SITE(a##3)
#define S16(a) S4(a##0) S4(a##1) S4(a##2) S4(a##3)
S16(1)
S16(2) S16(3) S16(4)
#define N4(a) site##a##0, site##a##1, site##a##2, site##a##3
#define N16(a) N4(a##0), N4(a##1), N4(a##2), N4(a##3)
    typedef void *(*site_fn)(size_t);
static site_fn sites[64] = {N16(1), N16(2), N16(3), N16(4)};
static NI void *rec(int d, unsigned path, size_t sz) {
    void *r;
    if (d <= 0) {
        r = sites[path & 63](sz);
        __asm__ volatile("" ::: "memory");
        return r;
    }
    if (d <= 2 && (path >> (6 + d)) & 1)
        r = rec(d - 1, path, sz);
    else
        r = rec(d - 1, path, sz);
    __asm__ volatile("" ::: "memory");
    return r;
}
int main(int c, char **v) {
    double m = c > 1 ? atof(v[1]) : 20;
    int depth = c > 2 ? atoi(v[2]) : 12;
    long n = (long)(m * 1e6);
    uint64_t s = 88172645463325252ull;
    void *ring[256] = {0};
    int d = depth - 3;
    if (d < 0)
        d = 0; // main + rec.. + site
    for (long i = 0; i < n; i++) {
        uint64_t r = rnd(&s);
        size_t sz = 16 + (r % 497);
        unsigned k = (r >> 32) & 255;
        void *old = ring[k];
        ring[k] = rec(d, (unsigned)(r >> 40), sz);
        free(old);
    }
    for (int i = 0; i < 256; i++)
        free(ring[i]);
    printf("w1 pairs=%ld depth=%d\n", n, depth);
    return 0;
}
