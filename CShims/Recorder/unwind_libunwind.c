/* SPDX-License-Identifier: MIT
 *
 * unwind_libunwind.c: see unwind_libunwind.h. Loaded with RTLD_LOCAL, since its _Unwind_… and backtrace must never take the
 * place of the program's own. Its headers are not needed: of its binary interface (libunwind.so.8, since 2012) we use five
 * functions, three register numbers and two sizes, written down here.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "unwind_libunwind.h"

#include "compiler.h"
#include "seccomp.h"

#include <dlfcn.h>
#include <sys/syscall.h>

#if defined(__x86_64__)

enum { BP = 6, SP = 7, PC = 16 };

/* unw_cursor_t is 127 words, unw_context_t is ucontext_t (968 bytes); both with room to spare. */
struct cursor { uint64_t words[160]; };
struct context { uint64_t words[128]; } __attribute__((aligned(16)));

static struct {
    bool loaded;
    int (*get_context)(struct context *context);
    int (*start)(struct cursor *cursor, struct context *context);
    int (*step)(struct cursor *cursor);
    int (*get_register)(struct cursor *cursor, int number, uint64_t *value);
    int (*is_signal_frame)(struct cursor *cursor);
    void (*flush)(void *space, uint64_t start, uint64_t end);
    void **space;
} library;

bool libunwind_load(void)
{
    void *handle = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return false;
    *(void **)&library.get_context = dlsym(handle, "_Ux86_64_getcontext");
    *(void **)&library.start = dlsym(handle, "_ULx86_64_init_local");
    *(void **)&library.step = dlsym(handle, "_ULx86_64_step");
    *(void **)&library.get_register = dlsym(handle, "_ULx86_64_get_reg");
    *(void **)&library.is_signal_frame = dlsym(handle, "_ULx86_64_is_signal_frame");
    *(void **)&library.flush = dlsym(handle, "_Ux86_64_flush_cache");
    *(void **)&library.space = dlsym(handle, "_ULx86_64_local_addr_space");
    library.loaded = library.get_context && library.start && library.step && library.get_register && library.is_signal_frame;
    return library.loaded;
}

bool libunwind_loaded(void) { return library.loaded; }

void libunwind_confine(void)
{
    /* Looking whether memory can be read, room for its cache, signals kept off while it works. */
    static const long calls[] = {SYS_rt_sigprocmask, SYS_mincore, SYS_msync, SYS_pipe2, SYS_write, SYS_read, SYS_fcntl, SYS_close,
                                 SYS_mmap, SYS_munmap, SYS_futex, SYS_getpid, SYS_openat};
    static const uint64_t nothing[6] = {0};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0] && library.loaded; i++)
        library.loaded = seccomp_allows(calls[i], nothing);
}

static uintptr_t reg(struct cursor *cursor, int number)
{
    uint64_t value = 0;
    return library.get_register(cursor, number, &value) < 0 ? 0 : value;
}

/* Steps from the calling function out to the frame (pc, sp). */
static bool step_to(struct cursor *cursor, uintptr_t pc, uintptr_t sp)
{
    /* Far more than our own frames and the deepest walk. */
    enum { PATIENCE = 1 << 12 };
    for (int i = 0; i < PATIENCE; i++) {
        if (library.step(cursor) <= 0)
            return false;
        if (reg(cursor, SP) == sp && reg(cursor, PC) == pc)
            return true;
    }
    return false;
}

GM_COLD bool libunwind_step(uintptr_t pc, uintptr_t sp, struct unwind_state *caller)
{
    struct context context;
    struct cursor cursor;
    if (!library.loaded || library.get_context(&context) < 0 || library.start(&cursor, &context) < 0 ||
        !step_to(&cursor, pc, sp))
        return false;
    bool signal = library.is_signal_frame(&cursor) > 0;
    if (library.step(&cursor) <= 0)
        return false;
    *caller = (struct unwind_state){reg(&cursor, PC), reg(&cursor, SP), reg(&cursor, BP), signal};
    return caller->pc != 0;
}

GM_COLD bool libunwind_agrees(const uint64_t *addresses, size_t count, bool cut, uintptr_t pc, uintptr_t sp)
{
    struct context context;
    struct cursor cursor;
    if (!library.loaded)
        return true;
    if (library.get_context(&context) < 0 || library.start(&cursor, &context) < 0 || !step_to(&cursor, pc, sp))
        return false;
    while (count > 0) {
        if (reg(&cursor, PC) != addresses[--count])
            return false;
        if (library.step(&cursor) <= 0 || reg(&cursor, PC) == 0)
            return count == 0;
    }
    return cut;
}

void libunwind_forget(uintptr_t start, uintptr_t end)
{
    if (library.loaded && library.flush && library.space)
        library.flush(*library.space, start, end);
}

#else

bool libunwind_load(void) { return false; }
bool libunwind_loaded(void) { return false; }
void libunwind_confine(void) {}

bool libunwind_step(uintptr_t pc, uintptr_t sp, struct unwind_state *caller)
{
    (void)pc, (void)sp, (void)caller;
    return false;
}

bool libunwind_agrees(const uint64_t *addresses, size_t count, bool cut, uintptr_t pc, uintptr_t sp)
{
    (void)addresses, (void)count, (void)cut, (void)pc, (void)sp;
    return true;
}

void libunwind_forget(uintptr_t start, uintptr_t end) { (void)start, (void)end; }

#endif
