/* SPDX-License-Identifier: MIT
 *
 * seccomp_test.c: what is said of system calls under filters must be what the kernel does: random filters are installed in
 * children that make random calls, and the kernel's answer is compared with seccomp_run's.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "seccomp.h"

#include "check.h"
#include "genmark_syscall.h"
#include "os.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILTERS = 120, CALLS = 24, STEPS = 40, NO_SUCH_CALL = 3000 };

static uint32_t seed = 4711;
static uint32_t any(uint32_t below) { return (seed = seed * 1664525 + 1013904223) / 65536 % below; }

/* A filter that the kernel accepts: loads of known words, arithmetic, forward jumps, and a return that tells one from another. */
static uint32_t make(struct sock_filter *code)
{
    static const uint16_t operations[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_AND, BPF_OR, BPF_XOR, BPF_LSH, BPF_RSH, BPF_DIV};
    static const uint16_t jumps[] = {BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET};
    uint32_t last = STEPS - 3;
    /* All calls that there are pass. */
    code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    code[1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, NO_SUCH_CALL, 1, 0);
    code[2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    for (uint32_t i = 3; i < last; i++) {
        uint16_t source = any(2) ? BPF_K : BPF_X;
        uint32_t word = any(2) ? 0 : 16 + 4 * any(12), value = any(2) ? any(100) : seed;
        code[i] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, word);
        switch (any(9)) {
        case 0: code[i] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_IMM, value); break;
        case 1: code[i] = (struct sock_filter)BPF_STMT(BPF_LDX | BPF_IMM, value); break;
        case 2: {
            uint16_t operation = operations[any(9)];
            uint32_t operand = operation == BPF_DIV ? value | 1 : operation == BPF_LSH || operation == BPF_RSH ? any(32) : value;
            /* By a register a shift is what the processor makes of it, and a division by 0 ends the thread. */
            bool by_constant = operation == BPF_LSH || operation == BPF_RSH || operation == BPF_DIV;
            code[i] = (struct sock_filter)BPF_STMT(BPF_ALU | operation | (by_constant ? BPF_K : source), operand);
            break;
        }
        case 3: {
            uint32_t left = last - i - 1;
            code[i] = (struct sock_filter)BPF_JUMP(BPF_JMP | jumps[any(4)] | source, value, (uint8_t)any(left + 1), (uint8_t)any(left + 1));
            break;
        }
        case 4: code[i] = (struct sock_filter)BPF_STMT(BPF_MISC | (any(2) ? BPF_TAX : BPF_TXA), 0); break;
        case 5: code[i] = (struct sock_filter)BPF_STMT(any(2) ? BPF_LD | BPF_W | BPF_LEN : BPF_LDX | BPF_W | BPF_LEN, 0); break;
        case 6: code[i] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_NEG, 0); break;
        default: break;
        }
    }
    code[last] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0x7ff);
    code[last + 1] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_OR | BPF_K, SECCOMP_RET_ERRNO | 0x800);
    code[last + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_A, 0);
    return STEPS;
}

struct result { uint64_t arguments[6]; long number, kernel; };

/* In a child: installs the filter, then asks the kernel. */
static void ask(struct sock_filter *code, uint32_t length, struct result *results)
{
    struct sock_fprog program = {.len = (unsigned short)length, .filter = code};
    alarm(20);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(77);
    for (int i = 0; i < CALLS; i++) {
        const uint64_t *a = results[i].arguments;
        results[i].kernel = gm_syscall_raw(results[i].number, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4], (long)a[5]);
    }
    _exit(0);
}

static void test_against_kernel(void)
{
    struct result *results = mmap(NULL, CALLS * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(results != MAP_FAILED);
    struct sock_filter code[STEPS];
    for (int round = 0; round < FILTERS; round++) {
        uint32_t length = make(code);
        for (int i = 0; i < CALLS; i++) {
            results[i].number = NO_SUCH_CALL + (long)any(4);
            for (int j = 0; j < 6; j++)
                results[i].arguments[j] = any(3) ? any(100) : (uint64_t)any(65536) << 40 | any(65536);
        }
        pid_t child = fork();
        if (child == 0)
            ask(code, length, results);
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
            puts("no filters here: not compared with the kernel");
            break;
        }
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        for (int i = 0; i < CALLS; i++) {
            uint32_t said = seccomp_run(code, length, results[i].number, results[i].arguments);
            uint32_t error = said & SECCOMP_RET_DATA;
            CHECK_EQUAL(said & SECCOMP_RET_ACTION_FULL, SECCOMP_RET_ERRNO);
            CHECK_EQUAL(results[i].kernel, -(long)error);
        }
    }
    munmap(results, CALLS * sizeof *results);
}

static void test_gate(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {.len = 4, .filter = code};
    const uint64_t nothing[6] = {0};
    int pid = os_pid(), tid = os_tid();
    CHECK(!seccomp_is_filtered() && seccomp_allows(SYS_getppid, nothing));
    CHECK(seccomp_add(&program));
    CHECK(seccomp_is_filtered() && !seccomp_allows(SYS_getppid, nothing) && seccomp_allows(SYS_getpid, nothing));
    CHECK(os_parent_pid() > 0);             /* kept, not obeyed yet */
    seccomp_obey();
    CHECK_EQUAL(os_parent_pid(), -EPERM);
    CHECK_EQUAL(os_pid(), pid);
    code[1].k = SYS_getpid;                 /* the program's again: a copy was taken */
    CHECK_EQUAL(os_pid(), pid);
    CHECK_EQUAL(os_parent_pid(), -EPERM);

    CHECK(seccomp_add(NULL));               /* strict mode */
    seccomp_obey();
    CHECK_EQUAL(os_pid(), pid);             /* known from before */
#if defined(__x86_64__) && defined(__GLIBC__)
    CHECK_EQUAL(os_tid(), tid);
#else
    (void)tid;
#endif
    CHECK(os_map(4096) == NULL);
    uint64_t before = os_monotonic_ns();
    CHECK_EQUAL(os_monotonic_ns(), before);
    seccomp_take_back();
    void *page = os_map(4096);
    CHECK(page != NULL);
    os_unmap(page, 4096);
    seccomp_take_back();
    CHECK(!seccomp_is_filtered() && os_parent_pid() > 0);

    CHECK(!seccomp_add((const struct sock_fprog *)8));      /* cannot be read: nothing is allowed */
    CHECK(!seccomp_allows(SYS_getpid, nothing));
    seccomp_take_back();
}

int main(void)
{
    test_against_kernel();
    test_gate();
    return CHECK_REPORT();
}
