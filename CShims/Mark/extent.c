/* SPDX-License-Identifier: MIT
 *
 * extent.c: the lock word of a trace and room in it: extents, strings, the first header. What is put there by a mark is in
 * mark.c.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "genmark_mark.h"
#include "genmark_syscall.h"
#include "genmark_trace_access.h"
#include "mark_internal.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

enum {
    POPULATE_STEP = 128 * 1024,       /* bytes made sure of at a time */
    STRINGS_SIZE = 4096 - GM_EXTENT_HEADER_SIZE,
    SPINS_BEFORE_SLEEP = 200,
    NAPS_BEFORE_CHECK = 100,          /* of 1 ms: an owner that is gone is looked for after that */
    KERNEL_MADV_POPULATE_WRITE = 23   /* Linux 5.14 */
};

long (*gm_syscall_gate)(long number, const uint64_t arguments[6]);

static struct gm_header *header_of(const struct gm_file *file) { return (struct gm_header *)file->base; }

bool gm_populate(void *start, size_t size)
{
    uintptr_t page = 4096, first = (uintptr_t)start & ~(page - 1), end = ((uintptr_t)start + size + page - 1) & ~(page - 1);
    long result;
    do
        result = gm_syscall(SYS_madvise, (long)first, (long)(end - first), KERNEL_MADV_POPULATE_WRITE, 0, 0, 0);
    while (result == -EINTR || result == -EAGAIN);
    if (result == 0)
        return true;
    if (result != -EINVAL && result != -ENOSYS && result != -EPERM)
        return false;
    /* An older kernel: let it write 16 bytes into each page for us. Where a store of ours would be answered with
     * SIGBUS, the call answers with EFAULT. Only bytes that are free to change are touched: all of the range is new. */
    for (uintptr_t at = first; at < end; at += page) {
        uintptr_t touched = at < (uintptr_t)start ? (uintptr_t)start : at;
        if (gm_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)touched, 0, 0, 0, 0) != 0)
            return false;
        *(volatile uint64_t *)touched = 0;
        *(volatile uint64_t *)(touched + 8) = 0;
    }
    return true;
}

/* lock: acquire on taking pairs with the release in gm_unlock, so the holder sees all that earlier holders stored. */
bool gm_try_lock(struct gm_file *file, uint32_t tid)
{
    uint32_t free_word = 0;
    return __atomic_compare_exchange_n(&header_of(file)->lock, &free_word, tid, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void gm_lock(struct gm_file *file, uint32_t tid)
{
    for (unsigned tries = 0; !gm_try_lock(file, tid); tries++) {
        if (tries < SPINS_BEFORE_SLEEP) {
            gm_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
            continue;
        }
        struct timespec nap = {0, 1000000};
        gm_syscall(SYS_nanosleep, (long)&nap, 0, 0, 0, 0, 0);
        if (tries < SPINS_BEFORE_SLEEP + NAPS_BEFORE_CHECK)
            continue;
        /* Held for 100 ms: a mark takes 1. If the owner was killed, take its place; what it left half done is mended by
         * GM_FLAG_SCAN_ALL and unapplied_mark. An owner of another pid namespace looks gone too: by now it is not at work. */
        uint32_t owner = gm_load_u32(&header_of(file)->lock);
        /* Ours from before: this thread was taken out of what held the lock by a longjmp in a signal handler. */
        if (owner == tid)
            return;
        if (owner != 0 && gm_syscall(SYS_tkill, (long)owner, 0, 0, 0, 0, 0) == -ESRCH &&
            __atomic_compare_exchange_n(&header_of(file)->lock, &owner, tid, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
    }
}

void gm_unlock(struct gm_file *file) { gm_store_release_u32(&header_of(file)->lock, 0); }

/* Makes sure of the bytes up to `end`: no store below header.populated can fail. */
static bool populate_to(struct gm_file *file, uint64_t end)
{
    struct gm_header *header = header_of(file);
    if (end <= header->populated)
        return true;
    uint64_t goal = header->populated + POPULATE_STEP;
    if (goal < end)
        goal = end;
    if (goal > file->size)
        goal = file->size;
    if (!gm_populate(file->base + header->populated, (size_t)(goal - header->populated))) {
        /* The disk may have room for what is asked, if not for the step. */
        goal = end;
        if (!gm_populate(file->base + header->populated, (size_t)(goal - header->populated)))
            return false;
    }
    header->populated = goal;
    return true;
}

struct gm_extent *gm_extent_add(struct gm_file *file, uint32_t kind, uint64_t first, uint32_t capacity,
                                uint32_t element_size, uint64_t payload, uint32_t shard)
{
    struct gm_header *header = header_of(file);
    uint64_t limit = header->limit < file->size ? header->limit : file->size;
    if (payload > limit)
        return NULL;
    uint64_t offset = header->used, size = (GM_EXTENT_HEADER_SIZE + payload + 63) & ~63ull;
    /* The file may be one that someone damaged. */
    if (offset < GM_HEADER_SIZE || offset % 64 != 0 || offset > limit || size > limit - offset || !populate_to(file, offset + size))
        return NULL;
    struct gm_extent *extent = (struct gm_extent *)(file->base + offset);
    extent->kind = kind;
    extent->size = size;
    extent->first = first;
    extent->capacity = capacity;
    extent->element_size = element_size;
    extent->shard = shard;
    extent->magic = GM_EXTENT_MAGIC;
    /* Release: a reader that sees the new end sees the extent's header. */
    gm_store_release_u64(&header->used, offset + size);
    return extent;
}

struct gm_string gm_string_add(struct gm_file *file, const char *text, size_t length)
{
    struct gm_header *header = header_of(file);
    struct gm_string string = {0, 0, 0};
    if (length == 0 || length > UINT32_MAX)
        return string;
    bool is_sound = header->string_next >= GM_HEADER_SIZE && header->string_next <= header->string_end &&
                    header->string_end <= header->used && header->used <= file->size;
    if (!is_sound || header->string_end - header->string_next < length) {
        uint64_t payload = length > STRINGS_SIZE ? length : STRINGS_SIZE;
        struct gm_extent *extent = gm_extent_add(file, GM_EXTENT_STRINGS, 0, (uint32_t)payload, 1, payload, 0);
        if (!extent)
            return string;
        header->string_next = (uint64_t)((uint8_t *)extent - file->base) + GM_EXTENT_HEADER_SIZE;
        header->string_end = header->string_next + payload;
    }
    uint8_t *to = file->base + header->string_next;
    for (size_t i = 0; i < length; i++)
        to[i] = (uint8_t)text[i];
    string.offset = header->string_next;
    string.length = (uint32_t)length;
    header->string_next += length;
    return string;
}

bool gm_trace_begin(struct gm_file *file, uint32_t tid)
{
    struct gm_header *header = header_of(file);
    if (file->size < GM_HEADER_SIZE || !gm_populate(file->base, GM_HEADER_SIZE))
        return false;
    header->major = GM_FORMAT_MAJOR;
    header->minor = GM_FORMAT_MINOR;
    header->header_size = GM_HEADER_SIZE;
    header->byte_order = GM_BYTE_ORDER;
    header->pointer_bits = 8 * sizeof(void *);
    header->page_size = 4096;
    header->limit = file->size;
    header->used = GM_HEADER_SIZE;
    header->populated = GM_HEADER_SIZE;
    header->node_count = header->cell_count = header->module_count = 1;
    gm_lock(file, tid);
    bool ready = gm_bank_begin(file);
    gm_unlock(file);
    return ready;
}
