/* SPDX-License-Identifier: MIT
 *
 * os.c: os.h by raw system calls.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "os.h"

#include "genmark_mark.h"
#include "genmark_syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

/* Newer than some headers we build with. */
enum { OS_MADV_WIPEONFORK = 18, OS_MADV_DONTFORK = 10, OS_MADV_DONTDUMP = 16, OS_MADV_HUGEPAGE = 14, OS_MADV_NOHUGEPAGE = 15, OS_MREMAP_DONTUNMAP = 4 };

static long call1(long number, long a) { return gm_syscall(number, a, 0, 0, 0, 0, 0); }
static long call2(long number, long a, long b) { return gm_syscall(number, a, b, 0, 0, 0, 0); }
static long call3(long number, long a, long b, long c) { return gm_syscall(number, a, b, c, 0, 0, 0); }

long os_call(long number, long a, long b, long c, long d, long e, long f)
{
    return gm_syscall(number, a, b, c, d, e, f);
}

static bool failed(long result) { return result < 0 && result > -4096; }

void *os_map(size_t size)
{
    long start = gm_syscall(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (failed(start))
        return NULL;
    call3(SYS_madvise, start, (long)size, OS_MADV_DONTDUMP);
    /* Most tables are touched here and there: where the system gives huge pages to all, each touch would cost 2 MiB. */
    call3(SYS_madvise, start, (long)size, OS_MADV_NOHUGEPAGE);
    return (void *)start;
}

void *os_map_wiped_on_fork(size_t size)
{
    void *start = os_map(size);
    if (start && call3(SYS_madvise, (long)start, (long)size, OS_MADV_WIPEONFORK) != 0) {
        /* Before Linux 4.14. Without it a child would write into its parent's records. */
        os_unmap(start, size);
        return NULL;
    }
    return start;
}

void *os_keep_from_children(void *start, size_t size)
{
    if (start)
        call3(SYS_madvise, (long)start, (long)size, OS_MADV_DONTFORK);
    return start;
}

void os_unmap(void *start, size_t size) { call2(SYS_munmap, (long)start, (long)size); }

void os_unmap_tail(void *start, size_t size, size_t kept)
{
    size = (size + 4095) & ~(size_t)4095;
    kept = (kept + 4095) & ~(size_t)4095;
    if (kept < size)
        os_unmap((uint8_t *)start + kept, size - kept);
}

void *os_map_aligned(size_t size)
{
    uint8_t *start = os_map(size + OS_HUGE_PAGE);
    if (!start)
        return NULL;
    size_t before = -(uintptr_t)start % OS_HUGE_PAGE;
    if (before > 0)
        os_unmap(start, before);
    os_unmap(start + before + size, OS_HUGE_PAGE - before);
    return start + before;
}

void os_prefer_huge(void *start, size_t size)
{
    uintptr_t first = ((uintptr_t)start + OS_HUGE_PAGE - 1) & ~(uintptr_t)(OS_HUGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)start + size) & ~(uintptr_t)(OS_HUGE_PAGE - 1);
    if (first < end)
        call3(SYS_madvise, (long)first, (long)(end - first), OS_MADV_HUGEPAGE);
}

void os_give_back(void *start, size_t size)
{
    uintptr_t first = ((uintptr_t)start + OS_PAGE - 1) & ~(uintptr_t)(OS_PAGE - 1);
    uintptr_t end = ((uintptr_t)start + size) & ~(uintptr_t)(OS_PAGE - 1);
    if (first < end)
        call3(SYS_madvise, (long)first, (long)(end - first), MADV_DONTNEED);
}

void *os_move_pages(void *start, size_t size)
{
    long moved = gm_syscall(SYS_mremap, (long)start, (long)size, (long)size, MREMAP_MAYMOVE | OS_MREMAP_DONTUNMAP, 0, 0);
    return failed(moved) ? NULL : (void *)moved;
}

bool os_resident(const void *start, size_t size, uint8_t *resident)
{
    return call3(SYS_mincore, (long)start, (long)size, (long)resident) == 0;
}

bool os_block_signals(uint64_t *before)
{
    uint64_t all = ~0ull;
    return gm_syscall(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)before, sizeof all, 0, 0) == 0;
}

void os_restore_signals(uint64_t signals)
{
    gm_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&signals, 0, sizeof signals, 0, 0);
}

bool os_populate(void *start, size_t size) { return gm_populate(start, size); }

int os_pid(void)
{
    static int known;      /* a sandbox may forbid to ask */
    long pid = call1(SYS_getpid, 0);
    if (pid > 0)
        known = (int)pid;
    return known;
}
int os_parent_pid(void) { return (int)call1(SYS_getppid, 0); }
int os_tid(void) { return (int)call1(SYS_gettid, 0); }

bool os_thread_exists(int tid) { return call2(SYS_tkill, tid, 0) != -ESRCH; }

void os_yield(void) { call1(SYS_sched_yield, 0); }

static uint64_t clock_ns(clockid_t clock)
{
    /* The vDSO would be quicker, but it is reached through libc; marks are rare. */
    static uint64_t last[2];      /* in a sandbox that forbids the call, time stands still */
    uint64_t *known = &last[clock == CLOCK_MONOTONIC];
    struct timespec now = {0, 0};
    if (call2(SYS_clock_gettime, clock, (long)&now) != 0)
        return __atomic_load_n(known, __ATOMIC_RELAXED);
    uint64_t time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    __atomic_store_n(known, time, __ATOMIC_RELAXED);
    return time;
}

uint64_t os_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
uint64_t os_realtime_ns(void) { return clock_ns(CLOCK_REALTIME); }

long os_read_file(const char *path, char *buffer, size_t size)
{
    long descriptor = gm_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0, 0, 0);
    if (failed(descriptor))
        return descriptor;
    size_t filled = 0;
    long result = 0;
    while (filled + 1 < size) {
        result = call3(SYS_read, descriptor, (long)(buffer + filled), (long)(size - 1 - filled));
        if (result == -EINTR)
            continue;
        if (result <= 0)
            break;
        filled += (size_t)result;
    }
    call1(SYS_close, descriptor);
    buffer[filled] = 0;
    return result < 0 ? result : (long)filled;
}

long os_read_link(const char *path, char *buffer, size_t size)
{
    long length = gm_syscall(SYS_readlinkat, AT_FDCWD, (long)path, (long)buffer, (long)size - 1, 0, 0);
    if (length >= 0)
        buffer[length] = 0;
    return length;
}

long os_write(int descriptor, const void *bytes, size_t size)
{
    long result;
    do
        result = call3(SYS_write, descriptor, (long)bytes, (long)size);
    while (result == -EINTR);
    return result;
}

int os_stat_at(int directory, const char *path, int flags, struct os_file *file)
{
    struct statx found;
    long result = gm_syscall(SYS_statx, directory, (long)path, flags, STATX_BASIC_STATS, (long)&found, 0);
    if (failed(result))
        return (int)result;
    file->device = (uint64_t)found.stx_dev_major << 32 | found.stx_dev_minor;
    file->inode = found.stx_ino;
    file->size = found.stx_size;
    file->modified_ns = (uint64_t)found.stx_mtime.tv_sec * 1000000000u + found.stx_mtime.tv_nsec;
    file->mode = found.stx_mode;
    file->owner = found.stx_uid;
    return 0;
}

int os_stat(const char *path, struct os_file *file) { return os_stat_at(AT_FDCWD, path, 0, file); }

int os_create_mapped(const char *path, uint64_t size, void **start, struct os_file *file)
{
    long descriptor = gm_syscall(SYS_openat, AT_FDCWD, (long)path,
                                 O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0600, 0, 0);
    if (failed(descriptor))
        return (int)descriptor;
    long result = call2(SYS_ftruncate, descriptor, (long)size);
    if (!failed(result))
        result = os_stat_at((int)descriptor, "", AT_EMPTY_PATH, file);
    long mapped = 0;
    if (!failed(result)) {
        mapped = gm_syscall(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
        result = failed(mapped) ? mapped : 0;
    }
    if (!failed(result))
        result = call3(SYS_madvise, mapped, (long)size, OS_MADV_DONTFORK);
    call1(SYS_close, descriptor);
    if (failed(result)) {
        if (mapped && !failed(mapped))
            os_unmap((void *)mapped, (size_t)size);
        os_unlink(path);
        return (int)result;
    }
    *start = (void *)mapped;
    return 0;
}

int os_cut(const char *path, uint64_t size, const struct os_file *file)
{
    struct os_file now;
    int result = os_stat_at(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &now);
    if (result < 0)
        return result;
    if (now.device != file->device || now.inode != file->inode)
        return -ESTALE;
    return (int)call2(SYS_truncate, (long)path, (long)size);
}

int os_unlink(const char *path) { return (int)call3(SYS_unlinkat, AT_FDCWD, (long)path, 0); }

uint64_t os_limit(int resource)
{
    uint64_t limit[2] = {UINT64_MAX, UINT64_MAX};
    gm_syscall(SYS_prlimit64, 0, resource, 0, (long)limit, 0, 0);
    return limit[0];
}
