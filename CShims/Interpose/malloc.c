/* SPDX-License-Identifier: MIT
 *
 * malloc.c: the allocation functions as the program sees them. Each calls the real one (real.h) and tells the recorder
 * what came of it (../Recorder/recorder.h); what fails is not told. Processes are in process.c.
 *
 * operator new and delete are in cxx.c.
 *
 * Any thread, any time, also before every constructor and in signal handlers. While nothing is recorded a hook is a
 * jump to the real function. errno is the real function's.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "real.h"
#include "start.h"

#include "compiler.h"
#include "recorder.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* Functions that, in musl, call malloc or aligned_alloc by their public names, which lead here: recorded there. */
#ifdef __GLIBC__
enum { REAL_CALLS_HOOKS = 0 };
#else
enum { REAL_CALLS_HOOKS = 1 };
#endif

/* Whether an allocation is to be recorded. The slow half begins recording where it has not begun yet. */
GM_INLINE bool is_recording(void) { return recorder_is_active() || start_wake(); }

GM_EXPORT void *malloc(size_t size)
{
    if (!is_recording())
        return real.malloc(size);
    void *block = real.malloc(size);
    if (GM_LIKELY(block != NULL))
        recorder_born(block, size, RECORDER_CALLER());
    return block;
}

GM_EXPORT void *calloc(size_t count, size_t size)
{
    if (REAL_CALLS_HOOKS || !is_recording())
        return real.calloc(count, size);
    void *block = real.calloc(count, size);
    if (GM_LIKELY(block != NULL))
        recorder_born(block, count * size, RECORDER_CALLER());      /* did not overflow: the real one would have failed */
    return block;
}

GM_EXPORT void free(void *block)
{
    if (GM_LIKELY(block != NULL) && recorder_is_active())
        recorder_freed(block);
    real.free(block);
}

/* The block leaves the live map before the real call, since another thread may get its address during it. */
GM_INLINE void *reallocate(void *block, size_t size, const struct recorder_caller *caller)
{
    if (block == NULL || size == 0) {
        /* realloc(NULL, n) is malloc(n). realloc(p, 0) frees; what some allocators then return is a new block. */
        if (block != NULL)
            recorder_freed(block);
        void *fresh = real.realloc(block, size);
        if (fresh != NULL)
            recorder_born(fresh, size, caller);
        return fresh;
    }
    struct recorder_taken was = recorder_take(block);
    void *moved = real.realloc(block, size);
    if (GM_UNLIKELY(was.cell == 0)) {
        if (moved != NULL)
            recorder_born(moved, size, caller);      /* was not ours: from before the recording */
    } else if (GM_LIKELY(moved != NULL)) {
        recorder_put(moved, size, was);
    } else {
        recorder_put(block, was.size, was);
    }
    return moved;
}

GM_EXPORT void *realloc(void *block, size_t size)
{
    if (!is_recording())
        return real.realloc(block, size);
    return reallocate(block, size, RECORDER_CALLER());
}

/* libc's own calls realloc through the table that leads here, and would be recorded twice. */
GM_EXPORT void *reallocarray(void *block, size_t count, size_t size)
{
    size_t total;
    if (GM_UNLIKELY(__builtin_mul_overflow(count, size, &total))) {
        errno = ENOMEM;
        return NULL;
    }
    if (!is_recording())
        return real.realloc(block, total);
    return reallocate(block, total, RECORDER_CALLER());
}

GM_EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (REAL_CALLS_HOOKS || !is_recording())
        return real.posix_memalign(block, alignment, size);
    int error = real.posix_memalign(block, alignment, size);
    if (GM_LIKELY(error == 0) && *block != NULL)
        recorder_born(*block, size, RECORDER_CALLER());
    return error;
}

GM_EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    if (!is_recording())
        return real.aligned_alloc(alignment, size);
    void *block = real.aligned_alloc(alignment, size);
    if (GM_LIKELY(block != NULL))
        recorder_born(block, size, RECORDER_CALLER());
    return block;
}

GM_EXPORT void *memalign(size_t alignment, size_t size)
{
    if (REAL_CALLS_HOOKS || !is_recording())
        return real.memalign(alignment, size);
    void *block = real.memalign(alignment, size);
    if (GM_LIKELY(block != NULL))
        recorder_born(block, size, RECORDER_CALLER());
    return block;
}

GM_EXPORT void *valloc(size_t size)
{
    if (REAL_CALLS_HOOKS || !is_recording())
        return real.valloc(size);
    void *block = real.valloc(size);
    if (GM_LIKELY(block != NULL))
        recorder_born(block, size, RECORDER_CALLER());
    return block;
}

GM_EXPORT void *pvalloc(size_t size);      /* not in musl's headers */
GM_EXPORT void *pvalloc(size_t size)
{
    if (!is_recording())
        return real.pvalloc(size);
    void *block = real.pvalloc(size);
    if (GM_LIKELY(block != NULL))
        recorder_born(block, size, RECORDER_CALLER());
    return block;
}

GM_EXPORT size_t malloc_usable_size(void *block) { return real.malloc_usable_size(block); }

/* free by other names: the old one, which glibc keeps for old programs, and those of C23, which it has only since 2.43.
 * The sizes are hints that no allocator needs. */
GM_EXPORT void cfree(void *block);
GM_EXPORT void free_sized(void *block, size_t size);
GM_EXPORT void free_aligned_sized(void *block, size_t alignment, size_t size);

GM_EXPORT void cfree(void *block)
{
    if (GM_LIKELY(block != NULL) && recorder_is_active())
        recorder_freed(block);
    real.free(block);
}

GM_EXPORT void free_sized(void *block, size_t size)
{
    (void)size;
    if (GM_LIKELY(block != NULL) && recorder_is_active())
        recorder_freed(block);
    real.free(block);
}

GM_EXPORT void free_aligned_sized(void *block, size_t alignment, size_t size)
{
    (void)alignment;
    (void)size;
    if (GM_LIKELY(block != NULL) && recorder_is_active())
        recorder_freed(block);
    real.free(block);
}
