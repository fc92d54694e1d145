// SPDX-License-Identifier: MIT
// w4 livebig: N live small blocks (16..64 bytes) kept, then all freed.
// usage: w4_livebig [nblocks_millions=10] [rounds=1]
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#define NI __attribute__((noinline))
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
        __asm__ volatile("" ::: "memory");                                                                             \
        return p;                                                                                                      \
    }
#define S4(a) SITE(a##0) SITE(a##1) SITE(a##2) SITE(a##3)
#define S16(a) S4(a##0) S4(a##1) S4(a##2) S4(a##3)
S16(1)
typedef void *(*site_fn)(size_t);
#define N4(a) site##a##0, site##a##1, site##a##2, site##a##3
static site_fn sites[16] = {N4(10), N4(11), N4(12), N4(13)};
static NI void *rec(int d, unsigned path, size_t sz) {
    void *r;
    if (d <= 0) {
        r = sites[path & 15](sz);
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
    long n = (long)((c > 1 ? atof(v[1]) : 10) * 1e6);
    int rounds = c > 2 ? atoi(v[2]) : 1;
    uint64_t s = 88172645463325252ull;
    void **a = mmap(0, n * sizeof *a, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int k = 0; k < rounds; k++) {
        for (long i = 0; i < n; i++) {
            uint64_t r = rnd(&s);
            a[i] = rec(6, (unsigned)(r >> 40), 16 + (r % 49));
        }
        for (long i = 0; i < n; i++)
            free(a[i]);
    }
    printf("w4 blocks=%ld rounds=%d\n", n, rounds);
    return 0;
}
