// SPDX-License-Identifier: MIT
// w3 mt: T threads, each N mallocs; half are freed by the same thread, half handed to the next
// thread's mailbox (a ring) and freed there.  usage: w3_mt [n_per_thread_millions=5] [threads=4] [depth=10]
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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
        p[sz - 1] = (char)n;                                                                                           \
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
#define RS 4096
struct box {
    _Alignas(64) atomic_ulong head;
    _Alignas(64) atomic_ulong tail;
    void *slot[RS];
};
static struct box *boxes;
static int T, D;
static long N;
static void drain(struct box *b) {
    unsigned long h = atomic_load_explicit(&b->head, memory_order_acquire),
                  t = atomic_load_explicit(&b->tail, memory_order_relaxed);
    for (; t != h; t++)
        free(b->slot[t % RS]);
    atomic_store_explicit(&b->tail, t, memory_order_release);
}
static void *th(void *a) {
    long id = (long)a;
    uint64_t s = 88172645463325252ull + id * 7919;
    void *ring[256] = {0};
    struct box *mine = &boxes[id], *next = &boxes[(id + 1) % T];
    for (long i = 0; i < N; i++) {
        uint64_t r = rnd(&s);
        size_t sz = 16 + (r % 497);
        void *p = rec(D, (unsigned)(r >> 40), sz);
        if ((r >> 33) & 1) {
            unsigned long h = atomic_load_explicit(&next->head, memory_order_relaxed);
            if (h - atomic_load_explicit(&next->tail, memory_order_acquire) < RS) {
                next->slot[h % RS] = p;
                atomic_store_explicit(&next->head, h + 1, memory_order_release);
            } else
                free(p);
        } else {
            unsigned k = (r >> 34) & 255;
            free(ring[k]);
            ring[k] = p;
        }
        if ((i & 63) == 0)
            drain(mine);
    }
    drain(mine);
    for (int i = 0; i < 256; i++)
        free(ring[i]);
    return 0;
}
int main(int c, char **v) {
    N = (long)((c > 1 ? atof(v[1]) : 5) * 1e6);
    T = c > 2 ? atoi(v[2]) : 4;
    D = (c > 3 ? atoi(v[3]) : 10) - 4;
    if (D < 0)
        D = 0;
    boxes = aligned_alloc(64, sizeof(struct box) * T);
    for (int i = 0; i < T; i++) {
        atomic_init(&boxes[i].head, 0);
        atomic_init(&boxes[i].tail, 0);
    }
    pthread_t *p = malloc(sizeof *p * T);
    for (long i = 0; i < T; i++)
        pthread_create(&p[i], 0, th, (void *)i);
    for (int i = 0; i < T; i++)
        pthread_join(p[i], 0);
    for (int i = 0; i < T; i++)
        drain(&boxes[i]);
    free(p);
    free(boxes);
    printf("w3 n/thread=%ld threads=%d\n", N, T);
    return 0;
}
