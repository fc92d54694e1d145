/* SPDX-License-Identifier: MIT */
/* 63 a program with an allocator of its own, linked into it
 * family: D contract
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 63 ok own=1
 * HOLDS: exit 0, same stdout. libc and the loader use the program's malloc too; a recorder that then calls libc's free with
 * such a block, or the other way round, breaks the program. Nothing is recorded, and that is said. */
#include "mark.h"
#include <errno.h>
#include <stdint.h>
static char arena[8 << 20] __attribute__((aligned(64)));
static size_t used;
static long calls;
static int owns(const void *p) { return (const char *)p >= arena && (const char *)p < arena + sizeof arena; }
void *malloc(size_t n) {
    calls++;
    n = (n + 31) & ~(size_t)15;
    if (n > sizeof arena - used) { errno = ENOMEM; return 0; }
    size_t *p = (size_t *)(arena + used);
    used += n;
    *p = n - 16;
    return p + 2;
}
void free(void *p) { if (p) { calls++; if (!owns(p)) abort(); } }
void *calloc(size_t n, size_t m) { void *p = malloc(n * m); return p ? memset(p, 0, n * m) : 0; }
void *realloc(void *p, size_t n) {
    if (p && !owns(p)) abort();
    size_t old = p ? ((size_t *)p)[-2] : 0;
    void *q = malloc(n);
    return q && p ? memcpy(q, p, old < n ? old : n) : q;
}
int main(void) {
    MARK("last");
    char *line = 0;
    size_t room = 0;
    FILE *f = fopen("/proc/self/comm", "r");
    CHECK(f && getline(&line, &room, f) > 0);
    fclose(f);
    CHECK(owns(line));
    free(line);
    char *copy = strdup("copy");
    CHECK(owns(copy));
    free(copy);
    for (int i = 0; i < 1000; i++) free(realloc(malloc((size_t)i), (size_t)i + 5));
    printf("63 ok own=%d\n", calls > 3000);
    return 0;
}
