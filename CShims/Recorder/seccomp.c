/* SPDX-License-Identifier: MIT
 *
 * seccomp.c: see seccomp.h. A filter is a program of classic BPF over struct seccomp_data; what of it the kernel allows in
 * filters is listed in its seccomp_check_filter (kernel/seccomp.c), and interpreted here.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "seccomp.h"

#include "compiler.h"
#include "genmark_syscall.h"
#include "os.h"
#include "unwind_cfi.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

enum { FILTERS = 64 };

struct kept {
    struct sock_filter *code;          /* NULL: strict mode */
    uint32_t length;
    bool allows_nothing;
};

/* Written by the thread that installs a filter; the counts are published last (release). Those that are obeyed are the oldest. */
static struct kept kept[FILTERS];
static uint32_t count, obeyed;

#if defined(__x86_64__)
static const uint32_t ARCHITECTURE = AUDIT_ARCH_X86_64;
#else
static const uint32_t ARCHITECTURE = AUDIT_ARCH_AARCH64;
#endif

static bool is_jump_taken(uint16_t code, uint32_t a, uint32_t value)
{
    switch (BPF_OP(code)) {
    case BPF_JEQ: return a == value;
    case BPF_JGT: return a > value;
    case BPF_JGE: return a >= value;
    default: return (a & value) != 0;      /* BPF_JSET */
    }
}

static uint32_t compute(uint16_t code, uint32_t a, uint32_t value)
{
    switch (BPF_OP(code)) {
    case BPF_ADD: return a + value;
    case BPF_SUB: return a - value;
    case BPF_MUL: return a * value;
    case BPF_DIV: return value ? a / value : 0;
    case BPF_AND: return a & value;
    case BPF_OR: return a | value;
    case BPF_XOR: return a ^ value;
    case BPF_LSH: return value < 32 ? a << value : 0;
    case BPF_RSH: return value < 32 ? a >> value : 0;
    default: return -a;                    /* BPF_NEG */
    }
}

uint32_t seccomp_run(const struct sock_filter *code, uint32_t length, long number, const uint64_t arguments[6])
{
    struct seccomp_data data = {.nr = (int)number, .arch = ARCHITECTURE};
    for (int i = 0; i < 6; i++)
        data.args[i] = arguments[i];
    uint32_t a = 0, x = 0, memory[BPF_MEMWORDS] = {0};
    for (uint32_t at = 0; at < length; at++) {
        const struct sock_filter *step = &code[at];
        uint32_t operand = BPF_SRC(step->code) == BPF_X ? x : step->k;
        switch (BPF_CLASS(step->code)) {
        case BPF_LD:
        case BPF_LDX: {
            uint32_t value = step->k;      /* BPF_IMM */
            if (BPF_MODE(step->code) == BPF_ABS) {
                bool is_pointer = step->k - offsetof(struct seccomp_data, instruction_pointer) < sizeof data.instruction_pointer;
                if (step->k % 4 != 0 || step->k > sizeof data - 4 || is_pointer)
                    return SECCOMP_RET_KILL_PROCESS;
                memcpy(&value, (const char *)&data + step->k, sizeof value);
            } else if (BPF_MODE(step->code) == BPF_LEN) {
                value = sizeof data;
            } else if (BPF_MODE(step->code) == BPF_MEM) {
                value = step->k < BPF_MEMWORDS ? memory[step->k] : 0;
            }
            if (BPF_CLASS(step->code) == BPF_LD)
                a = value;
            else
                x = value;
            break;
        }
        case BPF_ST:
        case BPF_STX:
            if (step->k < BPF_MEMWORDS)
                memory[step->k] = BPF_CLASS(step->code) == BPF_ST ? a : x;
            break;
        case BPF_ALU:
            if (BPF_OP(step->code) == BPF_DIV && operand == 0)
                return 0;                  /* as the kernel has it: the filter returns 0 */
            a = compute(step->code, a, operand);
            break;
        case BPF_JMP:
            if (BPF_OP(step->code) == BPF_JA)
                at += step->k;
            else
                at += is_jump_taken(step->code, a, operand) ? step->jt : step->jf;
            break;
        case BPF_RET: return BPF_RVAL(step->code) == BPF_A ? a : step->k;
        default:                           /* BPF_MISC */
            if (BPF_MISCOP(step->code) == BPF_TAX)
                x = a;
            else
                a = x;
        }
    }
    return SECCOMP_RET_KILL_PROCESS;
}

static bool strict_allows(long number)
{
    return number == SYS_read || number == SYS_write || number == SYS_exit || number == SYS_rt_sigreturn;
}

static bool allow(uint32_t filters, long number, const uint64_t arguments[6])
{
    for (uint32_t i = 0; i < filters; i++) {
        if (kept[i].allows_nothing)
            return false;
        if (!kept[i].code) {
            if (!strict_allows(number))
                return false;
            continue;
        }
        uint32_t action = seccomp_run(kept[i].code, kept[i].length, number, arguments) & SECCOMP_RET_ACTION_FULL;
        if (action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_LOG)
            return false;
    }
    return true;
}

bool seccomp_allows(long number, const uint64_t arguments[6])
{
    return allow(__atomic_load_n(&count, __ATOMIC_ACQUIRE), number, arguments);
}

/* Where glibc keeps the id of a thread, in words from its thread pointer: the one that holds the calling thread's. Nothing promises
 * it, but a new thread in a sandbox may not ask the kernel. 0: not found. */
static uint32_t tid_word;

#if defined(__x86_64__) && defined(__GLIBC__)
static uint32_t tid_in_memory(uint32_t word)
{
    uint32_t tid;
    __asm__ volatile("movl %%fs:(,%1,4), %0" : "=r"(tid) : "r"((uint64_t)word));
    return tid;
}
enum { TID_FIRST = 64, TID_LAST = 512 };      /* behind the part that compilers know, within struct pthread */
#else
static uint32_t tid_in_memory(uint32_t word) { return word; }
enum { TID_FIRST = 0, TID_LAST = 0 };
#endif

static void find_tid_word(void)
{
    uint32_t tid = (uint32_t)os_tid();
    for (uint32_t word = TID_FIRST; word != TID_LAST && tid_word == 0; word++)
        if (tid_in_memory(word) == tid)
            tid_word = word;
}

static long without(long number)
{
    switch (number) {
    case SYS_gettid: return tid_word != 0 ? (long)tid_in_memory(tid_word) : 1;
    case SYS_sched_yield:
    case SYS_nanosleep: return 0;
    default: return -EPERM;
    }
}

static long gate(long number, const uint64_t a[6])
{
    if (!allow(__atomic_load_n(&obeyed, __ATOMIC_ACQUIRE), number, a))
        return without(number);
    return gm_syscall_raw(number, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4], (long)a[5]);
}

static bool can_read_all(const void *start, size_t size)
{
    for (uintptr_t page = (uintptr_t)start & ~(uintptr_t)4095; page < (uintptr_t)start + size; page += 4096)
        if (!unwind_can_read(page))
            return false;
    return true;
}

bool seccomp_add(const struct sock_fprog *filter)
{
    if (count == FILTERS)
        return false;
    struct kept *fresh = &kept[count];
    *fresh = (struct kept){NULL, 0, false};
    if (count == 0)
        find_tid_word();
    if (filter) {
        size_t size = can_read_all(filter, sizeof *filter) ? filter->len * sizeof *filter->filter : 0;
        fresh->code = size > 0 && can_read_all(filter->filter, size) ? os_map(size) : NULL;
        if (fresh->code) {
            memcpy(fresh->code, filter->filter, size);
            fresh->length = filter->len;
        }
        fresh->allows_nothing = !fresh->code;
    }
    __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
    return !fresh->allows_nothing;
}

void seccomp_obey(void)
{
    __atomic_store_n(&obeyed, count, __ATOMIC_RELEASE);
    if (obeyed > 0)
        __atomic_store_n(&gm_syscall_gate, gate, __ATOMIC_RELEASE);
}

void seccomp_take_back(void)
{
    if (count == 0)
        return;
    /* The copy stays: another thread may be reading it. */
    __atomic_store_n(&count, count - 1, __ATOMIC_RELEASE);
    __atomic_store_n(&obeyed, count, __ATOMIC_RELEASE);
    if (count == 0)
        __atomic_store_n(&gm_syscall_gate, NULL, __ATOMIC_RELEASE);
}

bool seccomp_is_filtered(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED) > 0; }
