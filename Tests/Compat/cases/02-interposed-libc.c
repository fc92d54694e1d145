/* SPDX-License-Identifier: MIT */
/* 02 the program itself wraps mmap/open/write/getpid with dlsym + malloc
 * family: A init+TLS
 * CC: gcc
 * FLAGS: -O1 -fno-builtin -rdynamic
 * OUT: 02 ok mmap=1 open=0 write=0 getpid=0
 * HOLDS: exit 0, same stdout, no hang (alarm).  If the tracker reaches the
 * kernel through interposable symbols it enters these wrappers, which allocate:
 * recursion, a lock taken twice, and the counters printed here change.  Its own
 * system calls must not go through symbols that the program can replace.
 * LIVE gen=last site=kept_block blocks=4 bytes=256 */
#include "mark.h"
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
static int n_mmap, n_open, n_write, n_getpid;
static void *real(const char *n) {
    free(malloc(24));
    return dlsym(RTLD_NEXT, n);
}
void *mmap(void *a, size_t l, int p, int f, int fd, off_t o) {
    static void *(*r)(void *, size_t, int, int, int, off_t);
    if (!r) *(void **)&r = real("mmap");
    n_mmap++;
    free(malloc(100));
    return r(a, l, p, f, fd, o);
}
int open(const char *path, int fl, ...) {
    static int (*r)(const char *, int, int);
    va_list ap; va_start(ap, fl); int m = va_arg(ap, int); va_end(ap);
    if (!r) *(void **)&r = real("open");
    n_open++;
    free(malloc(101));
    return r(path, fl, m);
}
ssize_t write(int fd, const void *b, size_t n) {
    static ssize_t (*r)(int, const void *, size_t);
    if (!r) *(void **)&r = real("write");
    n_write++;
    free(malloc(102));
    return r(fd, b, n);
}
pid_t getpid(void) {
    static pid_t (*r)(void);
    if (!r) *(void **)&r = real("getpid");
    n_getpid++;
    free(malloc(103));
    return r();
}
SITE static void *kept_block(void) { void *p = malloc(64); KEEP(p); return p; }
int main(void) {
    alarm(20);
    MARK("last");
    for (int i = 0; i < 4; i++) CHECK(kept_block());
    void *m = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(m != MAP_FAILED && munmap(m, 4096) == 0);
    for (int i = 0; i < 5000; i++) free(malloc(i));
    printf("02 ok mmap=%d open=%d write=%d getpid=%d\n", n_mmap, n_open, n_write, n_getpid);
    return 0;
}
