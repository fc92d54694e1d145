// SPDX-License-Identifier: MIT
// sandbox: gives up system calls by seccomp, then keeps 6,000 blocks from 60 call stacks in 20 generations, in a main thread with
// a heap of its own. First word says how:
//   none      not at all
//   strict    SECCOMP_MODE_STRICT: read, write, exit
//   heap      killed for each call but write, exit_group, brk, futex
//   maps      the same, and mmap, munmap, mremap, mprotect, madvise: malloc as it is
//   trap      as heap, with SIGSYS instead (whose handler would say so)
//   refuse    madvise, openat, truncate, ftruncate, tkill, gettid, clock_gettime fail
//   usual     killed for ptrace, mount and their like, as services are: 20,000 call stacks more, all of which must be recorded
//   twice     usual, then refuse, then heap, each by another function
//   threads   killed for gettid, tkill, getpid, openat; then four threads begin and allocate
//   failing   filters that can not be installed: a bad pointer, none, too long
//   exec      usual, then it executes itself
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void genmark_mark(const char *label) __attribute__((weak));

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

__attribute__((noinline)) static void *confined(int depth)
{
    void *volatile block = depth ? confined(depth - 1) : malloc(100);
    return block;
}
__attribute__((noinline)) static void *of_thread(void) { void *volatile block = malloc(50); return block; }

static void *walk(unsigned long number, int depth);
__attribute__((noinline)) static void *left(unsigned long number, int depth) { void *volatile p = walk(number, depth); return p; }
__attribute__((noinline)) static void *right(unsigned long number, int depth) { void *volatile p = walk(number, depth); return p; }
__attribute__((noinline)) static void *walk(unsigned long number, int depth)
{
    void *volatile p = depth == 0 ? malloc(8) : number & 1 ? right(number >> 1, depth - 1) : left(number >> 1, depth - 1);
    return p;
}

enum { MOST = 64 };
struct filter { struct sock_filter code[2 * MOST + 8]; unsigned short length; };

/* One action for the calls that are listed, another for all else; a call of another architecture ends the process. */
static struct filter make(const int *calls, unsigned listed, unsigned otherwise)
{
    struct filter f = {.length = 0};
#define STEP(...) f.code[f.length++] = (struct sock_filter)__VA_ARGS__
    STEP(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    STEP(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    STEP(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    STEP(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    for (; *calls >= 0; calls++) {
        STEP(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)*calls, 0, 1));
        STEP(BPF_STMT(BPF_RET | BPF_K, listed));
    }
    STEP(BPF_STMT(BPF_RET | BPF_K, otherwise));
    return f;
}

static void install(struct filter f, int by_syscall)
{
    struct sock_fprog program = {.len = f.length, .filter = f.code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        _exit(77);
    long result = by_syscall ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program)
                             : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    if (result != 0)
        _exit(77);
    memset(&f, 0, sizeof f);      /* what the kernel has read is the program's again */
}

static const int heap[] = {SYS_write, SYS_exit_group, SYS_brk, SYS_futex, -1};
static const int maps[] = {SYS_write, SYS_exit_group, SYS_brk, SYS_futex, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, -1};
static const int refused[] = {SYS_madvise, SYS_openat, SYS_truncate, SYS_ftruncate, SYS_tkill, SYS_gettid, SYS_clock_gettime, -1};
static const int dangerous[] = {SYS_ptrace, SYS_mount, SYS_umount2, SYS_reboot, SYS_swapon, SYS_init_module, SYS_kexec_load, -1};
static const int curious[] = {SYS_gettid, SYS_tkill, SYS_getpid, SYS_openat, -1};

static void on_trap(int number) { (void)number; if (write(1, "trapped\n", 8) < 0) _exit(4); _exit(5); }

static void enter(const char *what)
{
    if (!strcmp(what, "strict") && prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
        _exit(77);
    if (!strcmp(what, "heap"))
        install(make(heap, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS), 0);
    if (!strcmp(what, "maps"))
        install(make(maps, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS), 1);
    if (!strcmp(what, "trap")) {
        signal(SIGSYS, on_trap);
        install(make(heap, SECCOMP_RET_ALLOW, SECCOMP_RET_TRAP), 0);
    }
    if (!strcmp(what, "refuse"))
        install(make(refused, SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ALLOW), 1);
    if (!strcmp(what, "usual") || !strcmp(what, "exec"))
        install(make(dangerous, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW), 0);
    if (!strcmp(what, "threads"))
        install(make(curious, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW), 1);
    if (!strcmp(what, "twice")) {
        install(make(dangerous, SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ALLOW), 0);
        install(make(refused, SECCOMP_RET_ERRNO | EACCES, SECCOMP_RET_ALLOW), 1);
        static const int heap_and_prctl[] = {SYS_write, SYS_exit_group, SYS_brk, SYS_futex, SYS_prctl, SYS_seccomp, -1};
        install(make(heap_and_prctl, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS), 0);
        install(make(heap, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS), 1);
    }
    if (!strcmp(what, "failing")) {
        struct sock_fprog nowhere = {.len = 5, .filter = (struct sock_filter *)8}, empty = {0};
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        int failed = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &nowhere) != 0 && errno == EFAULT;
        failed += prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 16L) != 0 && errno == EFAULT;
        failed += syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &empty) != 0 && errno == EINVAL;
        failed += syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, 0) != 0 && errno == EFAULT;
        printf("%d failed\n", failed);
        fflush(stdout);
    }
}

static void *allocate(void *unused)
{
    for (int i = 0; i < 100; i++)
        if (!of_thread())
            _exit(6);
    return unused;
}

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "none";
    /* So that strict mode needs no brk: the heap is there, and stays. */
    mallopt(M_TOP_PAD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    void *first = malloc(120000), *second = malloc(120000);
    free(first);
    free(second);
    static void *blocks[6000];
    static char line[100];
    int kept = 0;
    for (int generation = 0; generation < 20; generation++) {
        if (generation == 1)
            enter(what);
        for (int i = 0; i < 300; i++)
            if ((blocks[kept] = confined(i % 60)))
                kept++;
        for (int i = 0; i < 100; i++)
            free(confined(i % 60));
        if (genmark_mark)
            genmark_mark("generation");
    }
    if (!strcmp(what, "usual"))
        for (unsigned long i = 0; i < 20000; i++)
            if (!walk(i, 15))
                return 3;
    if (!strcmp(what, "threads")) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            if (pthread_create(&threads[i], NULL, allocate, NULL) != 0)
                return 3;
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
    }
    if (!strcmp(what, "exec"))
        execl(words[0], words[0], "again", (char *)NULL);
    int length = snprintf(line, sizeof line, "%s %d\n", what, kept);
    if (write(1, line, (size_t)length) < 0)
        return 3;
    if (!strcmp(what, "strict"))
        syscall(SYS_exit, 0);
    _exit(0);
}
