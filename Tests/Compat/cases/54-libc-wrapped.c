/* SPDX-License-Identifier: MIT */
/* 54 the program brings its own string and memory functions, which allocate
 * family: A init+TLS
 * CC: gcc
 * FLAGS: -O1 -fno-builtin -rdynamic
 * OUT: 54 ok
 * HOLDS: exit 0, same stdout, nothing lost. A recorder that calls strlen, memcpy or getenv by name comes here, and back
 * to itself, with its locks held.
 * LIVE site=kept_block blocks=200 bytes=12800
 * ABSENT site=wrapped */
#include "mark.h"
#include <stdint.h>
static int ready;
SITE static void *wrapped(void) { void *p = malloc(32); KEEP(p); return p; }
static void disturb(void) { if (ready) free(wrapped()); }
size_t strlen(const char *s) { size_t n = 0; disturb(); while (s[n]) n++; return n; }
void *memcpy(void *to, const void *from, size_t n) { disturb(); char *t = to; const char *f = from; while (n--) *t++ = *f++; return to; }
void *memmove(void *to, const void *from, size_t n) {
    disturb();
    char *t = to; const char *f = from;
    if (t < f) while (n--) *t++ = *f++; else while (n--) t[n] = f[n];
    return to;
}
void *memset(void *to, int c, size_t n) { disturb(); char *t = to; while (n--) *t++ = (char)c; return to; }
int memcmp(const void *a, const void *b, size_t n) {
    disturb();
    const unsigned char *x = a, *y = b;
    for (; n--; x++, y++) if (*x != *y) return *x - *y;
    return 0;
}
int strcmp(const char *a, const char *b) { disturb(); while (*a && *a == *b) a++, b++; return (unsigned char)*a - (unsigned char)*b; }
char *strchr(const char *s, int c) { disturb(); for (;; s++) { if (*s == (char)c) return (char *)(uintptr_t)s; if (!*s) return 0; } }
char *strrchr(const char *s, int c) { disturb(); const char *r = 0; for (;; s++) { if (*s == (char)c) r = s; if (!*s) return (char *)(uintptr_t)r; } }
extern char **environ;
char *getenv(const char *name) {
    disturb();
    size_t n = strlen(name);
    for (char **e = environ; e && *e; e++) { size_t i = 0; while (i < n && (*e)[i] == name[i]) i++; if (i == n && (*e)[n] == '=') return *e + n + 1; }
    return 0;
}
pid_t gettid(void) { disturb(); return 1; }
int sched_yield(void) { disturb(); return 0; }
int madvise(void *a, size_t n, int w) { (void)a; (void)n; (void)w; disturb(); return 0; }
int clock_gettime(clockid_t c, struct timespec *t) { (void)c; disturb(); t->tv_sec = 1; t->tv_nsec = 0; return 0; }
SITE static void *kept_block(int deep) { void *p = deep ? kept_block(deep - 1) : malloc(64); KEEP(p); return p; }
int main(void) {
    alarm(20);
    MARK("last");
    ready = 1;
    for (int i = 0; i < 200; i++) { CHECK(kept_block(i)); MARK("last"); }
    for (int i = 0; i < 5000; i++) free(malloc((size_t)i));
    ready = 0;
    printf("54 ok\n");
    return 0;
}
