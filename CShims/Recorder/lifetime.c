/* SPDX-License-Identifier: MIT
 *
 * lifetime.c: start, end and fork of recording. What happens to a block is in recorder.c.
 *
 * Fork: the gate is a page that the kernel zeroes in the child, and the trace's mapping does not go there at all. So the
 * child is inactive before its first instruction, whatever forked it (fork, clone, daemon), and costs nothing. A vfork
 * child shares our memory, gate and all, and records into our trace: its blocks are ours. When settings say
 * so, the first allocation of a fork's child begins a trace of its own, with nothing known of the parent's blocks.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "lifetime.h"

#include "calltree.h"
#include "cell.h"
#include "genmark_trace_access.h"
#include "livemap.h"
#include "message.h"
#include "module.h"
#include "os.h"
#include "output.h"
#include "recorder.h"
#include "recorder_internal.h"
#include "seccomp.h"
#include "settings.h"
#include "thread.h"
#include "trace.h"
#include "unwind.h"
#include "unwind_libunwind.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23      /* Linux 5.14; not in older headers */
#endif

/* Bytes that a process is limited to: with less, the live map goes without its shadow tables, which reserve 40 MiB and more. */
static const uint64_t COMPACT_BELOW = 256 << 20;

enum { GATE_UNSTARTED = 0, GATE_STARTED = 1, GATE_WAKING = 2 };

static struct recorder_gate closed_gate = {0, GATE_UNSTARTED};
struct recorder_gate *recorder_gate = &closed_gate;

static void forget_module(uint32_t module, uintptr_t start, uintptr_t end)
{
    (void)module;
    unwind_forget(start, end);
    calltree_forget(start, end);
}

static bool recheck(uintptr_t address) { return module_recheck(address, forget_module); }

static int make_trace(const char *path, void *context)
{
    return trace_create(path, settings.max_memory, context != NULL);
}

static bool begin(bool forked)
{
    static char path[OUTPUT_PATH_SIZE];      /* one thread begins; in a fork's child its stack may be a small one */
    int result = output_make(settings.output, make_trace, forked ? recorder_gate : NULL, path);
    if (result < 0) {
        message_line("cannot record to ", path, ": ", message_error(result), "; the program runs unrecorded", NULL);
        return false;
    }
    if (livemap_start() && calltree_start() && cell_start() && thread_start()) {
        if (trace_space() < COMPACT_BELOW)
            livemap_compact();
        return true;
    }
    trace_discard();
    message_line("cannot record: no memory for the tables; the program runs unrecorded", NULL);
    return false;
}

void recorder_start(void)
{
    if (recorder_gate->started != GATE_UNSTARTED)
        return;
    int saved = errno;
    struct recorder_gate *gate = os_map_wiped_on_fork(4096);
    if (!gate) {
        message_line("cannot record: no page that a fork wipes (Linux 4.14 or later); the program runs unrecorded", NULL);
        closed_gate.started = GATE_STARTED;
        errno = saved;
        return;
    }
    gate->started = GATE_STARTED;
    recorder_gate = gate;
    recorder_enter();
    if (begin(false)) {
        unwind_start(settings.verify, settings.max_depth);
        unwind_recheck = recheck;
        module_scan();
        if (settings.verify)
            gm_or_u32(&trace_header()->flags, GM_FLAG_VERIFIED);
        /* Release: who sees the gate open sees all tables. */
        __atomic_store_n(&gate->active, 1, __ATOMIC_RELEASE);
    }
    recorder_leave();
    errno = saved;
}

bool recorder_wake(void)
{
    if (recorder_is_confined())
        return false;
    /* Not the child of a fork, or one that has been seen to. */
    if (GM_LIKELY(recorder_gate->started != GATE_UNSTARTED || recorder_gate == &closed_gate))
        return recorder_is_active();
    uint32_t unstarted = GATE_UNSTARTED;
    uint32_t next = settings.follow ? GATE_WAKING : GATE_STARTED;
    if (!__atomic_compare_exchange_n(&recorder_gate->started, &unstarted, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
        next == GATE_STARTED)
        return recorder_is_active();
    int saved = errno;
    trace_forget();
    module_forget_all();
    unwind_after_fork();
    thread_reset();
    recorder_enter();
    if (begin(true))
        __atomic_store_n(&recorder_gate->active, 1, __ATOMIC_RELEASE);
    recorder_leave();
    __atomic_store_n(&recorder_gate->started, GATE_STARTED, __ATOMIC_RELEASE);
    errno = saved;
    return recorder_is_active();
}

bool recorder_owns_process(void)
{
    return recorder_is_active() && trace_header()->pid == (uint32_t)os_pid();
}

void recorder_ended(uint32_t kind, int32_t value)
{
    if (recorder_owns_process())
        trace_end(kind, value);
}

bool recorder_is_confined(void) { return seccomp_is_filtered(); }

/* What is asked of the system while recording goes on. */
static bool may_map(void)
{
    const uint64_t arguments[6] = {0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, UINT64_MAX, 0};
    return seccomp_allows(SYS_mmap, arguments);
}

static bool may_populate(void)
{
    const uint64_t arguments[6] = {1 << 20, 4096, MADV_POPULATE_WRITE, 0, 0, 0}, clock[6] = {CLOCK_MONOTONIC, 1 << 20, 0, 0, 0, 0};
    return seccomp_allows(SYS_madvise, arguments) || seccomp_allows(SYS_clock_gettime, clock);
}

static bool may_cut(void)
{
    const uint64_t nothing[6] = {0};
    return seccomp_allows(SYS_truncate, nothing) && seccomp_allows(SYS_statx, nothing);
}

bool recorder_confined(const struct sock_fprog *filter)
{
    if (recorder_is_active() && !recorder_owns_process())
        return false;
    seccomp_add(filter);
    if (recorder_is_active()) {
        uintptr_t outer = thread_locals.inside;
        recorder_enter();
        if (!may_map()) {
            livemap_reserve();
            thread_reserve();
        }
        if (!may_populate())
            trace_reserve();
        if (!may_cut())
            trace_cut();
        libunwind_confine();
        thread_locals.inside = outer;
    }
    seccomp_obey();
    return true;
}

void recorder_unconfined(void)
{
    seccomp_take_back();
    recorder_resumed();
}

void recorder_limited(uint64_t space)
{
    if (!recorder_owns_process() || space == UINT64_MAX)
        return;
    uintptr_t outer = thread_locals.inside;
    recorder_enter();
    if (space < COMPACT_BELOW && recorder_is_alone())
        livemap_compact();
    uint64_t before = trace_file.size;
    if (trace_shrink(space)) {
        cell_shrink(before);
    }
    thread_locals.inside = outer;
}

void recorder_resumed(void)
{
    if (recorder_owns_process())
        trace_resume();
}

bool recorder_library_closing(void)
{
    if (!recorder_is_active())
        return false;
    unwind_closing(true);
    return true;
}

void recorder_library_closed(bool was_told)
{
    if (recorder_is_active()) {
        uintptr_t outer = thread_locals.inside;
        recorder_enter();
        module_sweep(forget_module);
        thread_locals.inside = outer;
    }
    if (was_told)
        unwind_closing(false);
}

/* Fields of /proc/self/stat, counted from the last ')' on: the name before it may hold anything. */
struct gm_sample lifetime_sample(void)
{
    struct gm_sample sample = {0, 0, 0, 0, 0};
    char text[1024];
    if (os_read_file("/proc/self/stat", text, sizeof text) > 0) {
        char *at = strrchr(text, ')');
        for (int field = 3; at && field <= 24; field++) {
            at = strchr(at + 1, ' ');
            if (!at || (field != 20 && field != 24))
                continue;
            uint64_t value = 0;
            for (const char *digit = at + 1; *digit >= '0' && *digit <= '9'; digit++)
                value = value * 10 + (uint64_t)(*digit - '0');
            if (field == 20)
                sample.threads = (uint32_t)value;
            else
                sample.rss_bytes = value * 4096;
        }
    }
    sample.time_ns = os_monotonic_ns() - trace_header()->start_monotonic_ns;
    return sample;
}
