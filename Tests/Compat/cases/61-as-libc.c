/* SPDX-License-Identifier: MIT */
/* 61 every call of the family with good and bad arguments, compared with libc's own
 * family: D contract
 * CC: gcc
 * FLAGS: -O1 -fno-builtin -Wno-deprecated-declarations
 * OUT: 61 ok differences=0
 * HOLDS: exit 0, same stdout: result (null or not), error number, alignment and usable size are libc's, for sizes from 0 to
 * SIZE_MAX and alignments that are none. What failed left its argument alone; errno stays where nothing failed.
 * ABSENT site=try_all */
#include "mark.h"
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
static void *libc;
static int differences;
static void differ(const char *what, size_t a, size_t b) { differences++; dprintf(2, "%s(%zu, %zu)\n", what, a, b); }
static const size_t sizes[] = {0, 1, 7, 16, 24, 25, 4095, 4096, 4097, 100000, 200000, (size_t)1 << 31, PTRDIFF_MAX - 4096, PTRDIFF_MAX,
                               (size_t)PTRDIFF_MAX + 1, SIZE_MAX - 4096, SIZE_MAX - 1, SIZE_MAX};
static const size_t alignments[] = {0, 1, 2, 3, 8, 16, 24, 32, 64, 4096, 4097, 1 << 21, (size_t)1 << 40, (size_t)1 << 62, (size_t)1 << 63, SIZE_MAX};
#define EACH(x, array) for (size_t i_##x = 0, x; i_##x < sizeof array / sizeof *array && (x = array[i_##x], 1); i_##x++)
/* Two results with their errors, as both implementations gave them; both freed. */
static void same(const char *what, void *a, int ea, void *b, int eb, size_t alignment, size_t n, size_t m) {
    int usable = a && b && malloc_usable_size(a) != malloc_usable_size(b) && malloc_usable_size(a) < (n > 100000 ? 0 : n);
    if (!a != !b || ea != eb || usable || (a && alignment && (uintptr_t)a % alignment)) differ(what, n, m);
    free(a);
    free(b);
}
#define CALL(result, expression) (errno = 4711, (result) = (expression), errno)
SITE static void try_all(void) {
    void *(*m)(size_t) = (void *(*)(size_t))dlsym(libc, "malloc"), *(*v)(size_t) = (void *(*)(size_t))dlsym(libc, "valloc"),
        *(*pv)(size_t) = (void *(*)(size_t))dlsym(libc, "pvalloc");
    void *(*c)(size_t, size_t) = (void *(*)(size_t, size_t))dlsym(libc, "calloc"), *(*r)(void *, size_t) = (void *(*)(void *, size_t))dlsym(libc, "realloc"),
        *(*aa)(size_t, size_t) = (void *(*)(size_t, size_t))dlsym(libc, "aligned_alloc"), *(*ma)(size_t, size_t) = (void *(*)(size_t, size_t))dlsym(libc, "memalign"),
        *(*ra)(void *, size_t, size_t) = (void *(*)(void *, size_t, size_t))dlsym(libc, "reallocarray");
    int (*pm)(void **, size_t, size_t) = (int (*)(void **, size_t, size_t))dlsym(libc, "posix_memalign");
    void *a, *b;
    int ea, eb;
    EACH(n, sizes) {
        ea = CALL(a, malloc(n)); eb = CALL(b, m(n)); same("malloc", a, ea, b, eb, 16, n, 0);
        ea = CALL(a, valloc(n)); eb = CALL(b, v(n)); same("valloc", a, ea, b, eb, 4096, n, 0);
        ea = CALL(a, pvalloc(n)); eb = CALL(b, pv(n)); same("pvalloc", a, ea, b, eb, 4096, n, 0);
        ea = CALL(a, realloc(0, n)); eb = CALL(b, r(0, n)); same("realloc 0", a, ea, b, eb, 16, n, 0);
        EACH(k, sizes) {
            ea = CALL(a, calloc(n, k)); eb = CALL(b, c(n, k)); same("calloc", a, ea, b, eb, 16, n, k);
            ea = CALL(a, reallocarray(0, n, k)); eb = CALL(b, ra(0, n, k)); same("reallocarray 0", a, ea, b, eb, 16, n, k);
        }
        unsigned char *p = malloc(100), *q = m(100);
        memset(p, 5, 100);
        memset(q, 5, 100);
        ea = CALL(a, realloc(p, n)); eb = CALL(b, r(q, n));
        if (!a && n) { for (int i = 0; i < 100; i++) if (p[i] != 5) differ("realloc touched", n, 0); free(p); free(q); }
        else if (a && (n < 100 ? n : 100) && (((unsigned char *)a)[0] != 5 || ((unsigned char *)a)[(n < 100 ? n : 100) - 1] != 5)) differ("realloc lost", n, 0);
        same("realloc", a, ea, b, eb, 16, n, 0);
        EACH(al, alignments) {
            a = b = (void *)8;
            errno = 4711; int fa = posix_memalign(&a, al, n); ea = errno;
            errno = 4711; int fb = pm(&b, al, n); eb = errno;
            if (fa != fb || (fa && a != (void *)8)) differ("posix_memalign", al, n);
            if (fa) a = 0;
            if (fb) b = 0;
            same("posix_memalign", a, ea, b, eb, fa ? 0 : al, n, al);
            if (al > (size_t)1 << 62) continue;      /* libc 2.36 loops for ever */
            ea = CALL(a, aligned_alloc(al, n)); eb = CALL(b, aa(al, n)); same("aligned_alloc", a, ea, b, eb, 0, n, al);
            ea = CALL(a, memalign(al, n)); eb = CALL(b, ma(al, n)); same("memalign", a, ea, b, eb, 0, n, al);
        }
    }
    if (malloc_usable_size(0) != 0) differ("malloc_usable_size", 0, 0);
    errno = 4711;
    free(0);
    free(malloc(1 << 20));
    if (errno != 4711) differ("errno", 0, 0);
    void *x = malloc(0), *y = malloc(0);
    if (!x || !y || x == y) differ("malloc(0)", 0, 0);
    free(x);
    free(y);
}
int main(void) {
    alarm(40);
    libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    CHECK(libc);
    MARK("last");
    try_all();
    printf("61 ok differences=%d\n", differences);
    return 0;
}
