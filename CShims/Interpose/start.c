/* SPDX-License-Identifier: MIT
 *
 * start.c: see start.h. The order matters: the real functions, then the settings, then our place in LD_PRELOAD, then
 * the recorder.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "start.h"

#include "cxx.h"
#include "held.h"
#include "process.h"
#include "real.h"

#include "compiler.h"
#include "message.h"
#include "os.h"
#include "output.h"
#include "preload.h"
#include "recorder.h"
#include "settings.h"
#include "text.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Where the kernel put argc, argv and the environment; the dynamic loader's. */
extern void *__libc_stack_end __attribute__((weak));

/* Changes before the program has a second thread. */
static enum { NOT_STARTED, STARTING, STARTED } state;
static bool hook_reached;      /* an allocation came to our hooks while nothing was recorded */

/* libc's environment; before libc has been set up, the kernel's, which becomes it. */
static char **find_environment(void)
{
    if (environ)
        return environ;
    if (!&__libc_stack_end || !__libc_stack_end)
        return NULL;
    long count = *(long *)__libc_stack_end;
    char **arguments = (char **)__libc_stack_end + 1;
    if (count < 0 || count > 1 << 24 || arguments[count] != NULL)
        return NULL;
    return arguments + count + 1;
}

static const char *find_library(void)
{
    Dl_info info;
    return dladdr((void *)&state, &info) && info.dli_fname ? info.dli_fname : "";
}

/* Whether blocks are glibc's, with its header before them: in name and in fact, for sizes of every kind of chunk. */
static bool are_sizes_in_headers(void)
{
    static const size_t sizes[] = {0, 1, 24, 25, 40, 100, 1000, 5000, 70000, 300000};
    Dl_info info;
    if (!dladdr(*(void **)&real.malloc, &info) || !info.dli_fname || !text_equal(text_base(info.dli_fname), "libc.so.6"))
        return false;
    bool same = true;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        void *block = real.malloc(sizes[i]);
        same = same && block && recorder_size_in_header(block) == real.malloc_usable_size(block);
        real.free(block);
    }
    return same;
}

static void on_mark_signal(int number)
{
    (void)number;
    int before = errno;
    recorder_mark_from_signal();
    errno = before;
}

static void catch_mark_signal(int number)
{
    struct sigaction action = { .sa_handler = on_mark_signal, .sa_flags = SA_RESTART | SA_ONSTACK };
    int (*change)(int, const struct sigaction *, struct sigaction *);
    *(void **)&change = dlsym(RTLD_NEXT, "sigaction");      /* not the program's own */
    if (!change || change(number, &action, NULL) != 0)
        message_line("GENMARK_MARK_SIGNAL: the signal cannot be caught: no marks will be taken by it", NULL);
}

/* A program with a malloc of its own, or an allocator preloaded before us, leaves us nothing to record: then this one
 * does not come to our hook. */
static void check_that_hooks_are_reached(void)
{
    void *(*volatile allocate)(size_t) = malloc;
    void (*volatile release)(void *) = free;
    hook_reached = false;
    release(allocate(1));
    if (!hook_reached)
        message_line(output_program(), " has an allocator of its own, or one is preloaded before genmark: "
                     "what it allocates is not recorded", NULL);
}

/* Allocators set themselves up at their first calls, with blocks of their own: before we ask them for sizes in the midst of
 * recording a block, where those would be lost. */
static void settle_allocator(void)
{
    void *block = real.malloc(1);
    if (block)
        real.malloc_usable_size(block);
    real.free(block);
}

static void start(bool by_hook)
{
    state = STARTING;
    real_find();
    cxx_start();
    if (getauxval(AT_SECURE)) {
        state = STARTED;       /* has more rights than its user: no file is touched for it */
        return;
    }
    char **environment = find_environment();
    settings_read(environment);
    output_start(environment);
    preload_start(environment, find_library(), settings.follow);
    process_start();
    if (!by_hook)
        check_that_hooks_are_reached();
    settle_allocator();
    recorder_usable_size = real.malloc_usable_size;
    recorder_sizes_by_header = are_sizes_in_headers();
    if (recorder_sizes_by_header)
        held_start();
    recorder_start();
    state = STARTED;
    if (settings.mark_signal != 0)
        catch_mark_signal(settings.mark_signal);      /* recorded or not: who sends it must not end the program */
}

GM_COLD bool start_wake(void)
{
    hook_reached = true;
    if (state == STARTED)
        return recorder_wake();
    if (state == STARTING)
        return recorder_is_active();
    int before = errno;
    start(true);
    errno = before;
    return recorder_is_active();
}

__attribute__((constructor)) static void at_load(void)
{
    int before = errno;
    if (state == NOT_STARTED)
        start(false);
    process_at_load();
    errno = before;
}
