/* SPDX-License-Identifier: MIT
 *
 * unwind_code.c: what the code around an address tells where unwind tables say nothing, and whether memory can be read at all.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "unwind_cfi.h"

#include "module.h"
#include "os.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

bool unwind_can_read(uintptr_t address)
{
    /* The kernel copies the set before it looks at the operation, which is none: EINVAL when it could be read, else EFAULT.
     * A null pointer would mean no set, and be allowed. */
    if (address == 0)
        return false;
    long result = os_call(SYS_rt_sigprocmask, -1, (long)address, 0, 8, 0, 0);
    if (result == -EINVAL || result == -EFAULT)
        return result == -EINVAL;
    /* A sandbox forbids it. Those that leave a program next to nothing still let it wait, for no time, until a word changes. */
    static const struct timespec none = {0, 0};
    result = os_call(SYS_futex, (long)(address & ~(uintptr_t)3), FUTEX_WAIT_PRIVATE, 0, (long)&none, 0, 0);
    return result == -EAGAIN || result == -ETIMEDOUT;
}

#if defined(__x86_64__)

static bool code_readable(uintptr_t start, uintptr_t last)
{
    struct module_tables tables;
    if (module_tables_at(start, &tables) && last < tables.end)
        return true;
    return unwind_can_read(start & ~(uintptr_t)7) && unwind_can_read(last & ~(uintptr_t)7);
}

bool unwind_is_signal_return(uintptr_t pc)
{
    static const uint8_t code[9] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    return code_readable(pc, pc + sizeof code - 1) && memcmp((const void *)pc, code, sizeof code) == 0;
}

bool unwind_follows_call(uintptr_t pc)
{
    if (pc < 4096 || pc >= RULE_KEY_EXACT >> 16 || !code_readable(pc - 7, pc - 1))
        return false;
    const uint8_t *code = (const uint8_t *)pc;
    if (code[-5] == 0xe8)
        return true;                                              /* call rel32 */
    /* call through a register or memory: ff /2, by the length of its operand. */
    for (int length = 2; length <= 7; length++) {
        uint8_t operand = code[1 - length];
        if (code[-length] != 0xff || (operand >> 3 & 7) != 2)
            continue;
        unsigned mode = operand >> 6, base = operand & 7;
        bool indexed = mode != 3 && base == 4;
        int expected = 2 + indexed;
        if (mode == 1)
            expected += 1;
        else if (mode == 2 || (mode == 0 && (base == 5 || (indexed && (code[2 - length] & 7) == 5))))
            expected += 4;
        if (length == expected)
            return true;
    }
    return false;
}

#else

bool unwind_is_signal_return(uintptr_t pc) { (void)pc; return false; }

bool unwind_follows_call(uintptr_t pc)
{
    struct module_tables tables;
    if (pc < 4096 || (pc & 3))
        return false;
    /* The kernel returns from signal handlers to code that no call comes before. */
    if (module_tables_at(pc - 1, &tables))
        return true;
    uint32_t instruction;
    if (!unwind_can_read((pc - 4) & ~(uintptr_t)7))
        return false;
    memcpy(&instruction, (const void *)(pc - 4), sizeof instruction);
    bool bl = (instruction & 0xfc000000) == 0x94000000, blr = (instruction & 0xfefff000) == 0xd63f0000;
    return bl || blr;
}

#endif
