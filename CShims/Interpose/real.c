/* SPDX-License-Identifier: MIT
 *
 * real.c: see real.h. Three states: unknown, being looked up (allocations come from the arena), known.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>

enum {
    ARENA_SIZE = 64 * 1024,
    ARENA_ALIGNMENT = 16
};

/* Blocks one after the other, each with its size in the word before it; never used again. */
static _Alignas(64) unsigned char arena[ARENA_SIZE];
static size_t arena_used;

static bool in_arena(const void *block) { return (uintptr_t)block - (uintptr_t)arena < ARENA_SIZE; }

bool real_is_arena_block(const void *block) { return in_arena(block); }

static size_t arena_block_size(const void *block) { return ((const size_t *)block)[-1]; }

static void *arena_allocate(size_t alignment, size_t size)
{
    size_t used = __atomic_load_n(&arena_used, __ATOMIC_RELAXED), start;
    if (alignment < ARENA_ALIGNMENT)
        alignment = ARENA_ALIGNMENT;
    do {
        start = used + ARENA_ALIGNMENT;
        start += -((uintptr_t)arena + start) & (alignment - 1);
        if (alignment > ARENA_SIZE || size > ARENA_SIZE || start > ARENA_SIZE - size) {
            errno = ENOMEM;
            return NULL;
        }
    } while (!__atomic_compare_exchange_n(&arena_used, &used, start + size, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    void *block = arena + start;
    ((size_t *)block)[-1] = size;
    return block;
}

/* While the real functions are looked up. What the arena gives out is zero. */

static void *arena_malloc(size_t size) { return arena_allocate(0, size); }

static void *arena_calloc(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return arena_allocate(0, total);
}

static void copy_bytes(unsigned char *to, const unsigned char *from, size_t size)
{
    while (size-- > 0)
        *to++ = *from++;
}

static void *arena_realloc(void *block, size_t size)
{
    if (block && !in_arena(block)) {       /* cannot be: nothing else has been given out yet */
        errno = ENOMEM;
        return NULL;
    }
    if (block && size == 0)
        return NULL;
    void *moved = arena_allocate(0, size);
    if (moved && block)
        copy_bytes(moved, block, size < arena_block_size(block) ? size : arena_block_size(block));
    return moved;
}

static void arena_free(void *block) { (void)block; }

static void *arena_memalign(size_t alignment, size_t size) { return arena_allocate(alignment, size); }

static int arena_posix_memalign(void **block, size_t alignment, size_t size)
{
    int before = errno;
    void *aligned = arena_allocate(alignment, size);
    errno = before;
    if (!aligned)
        return ENOMEM;
    *block = aligned;
    return 0;
}

static void *arena_valloc(size_t size) { return arena_allocate(4096, size); }

static size_t arena_malloc_usable_size(void *block) { return in_arena(block) ? arena_block_size(block) : 0; }

#define arena_aligned_alloc arena_memalign
#define arena_pvalloc arena_valloc

/* Once they are known, and the arena has been used: blocks of it may come back at any time. */

static struct real_functions next;

static void after_free(void *block)
{
    if (!in_arena(block))
        next.free(block);
}

static void *after_realloc(void *block, size_t size)
{
    if (!in_arena(block))
        return next.realloc(block, size);
    if (size == 0)
        return NULL;
    void *moved = next.malloc(size);
    if (moved)
        copy_bytes(moved, block, size < arena_block_size(block) ? size : arena_block_size(block));
    return moved;
}

static size_t after_malloc_usable_size(void *block)
{
    return in_arena(block) ? arena_block_size(block) : next.malloc_usable_size(block);
}

/* Before they are known: the first call looks them up. */

static void *first_malloc(size_t size) { real_find(); return real.malloc(size); }
static void *first_calloc(size_t count, size_t size) { real_find(); return real.calloc(count, size); }
static void *first_realloc(void *block, size_t size) { real_find(); return real.realloc(block, size); }
static void first_free(void *block) { real_find(); real.free(block); }
static int first_posix_memalign(void **block, size_t alignment, size_t size)
{
    real_find();
    return real.posix_memalign(block, alignment, size);
}
static void *first_aligned_alloc(size_t alignment, size_t size) { real_find(); return real.aligned_alloc(alignment, size); }
static void *first_memalign(size_t alignment, size_t size) { real_find(); return real.memalign(alignment, size); }
static void *first_valloc(size_t size) { real_find(); return real.valloc(size); }
static void *first_pvalloc(size_t size) { real_find(); return real.pvalloc(size); }
static size_t first_malloc_usable_size(void *block) { real_find(); return real.malloc_usable_size(block); }

struct real_functions real = {
#define X(result, name, parameters) .name = first_##name,
    REAL_ALLOCATOR(X)
#undef X
};

void real_forget_error(void)
{
#ifdef __GLIBC__
    /* Not by dlerror(): that translates its message under a lock of the locale, which the program's caller of malloc may
     * hold (newlocale, setlocale). A look-up that succeeds clears what one before left. */
    dlsym(RTLD_NEXT, "malloc");
#else
    dlerror();
#endif
}

void real_find(void)
{
    static uint32_t begun;
    if (__atomic_exchange_n(&begun, 1, __ATOMIC_ACQ_REL))
        return;

#define X(result, name, parameters) real.name = arena_##name;
    REAL_ALLOCATOR(X)
#undef X

    /* A function that is nowhere stays the arena's, which then fails with ENOMEM: nobody can have linked with it. */
    struct real_functions found = real;
    bool missing = false;
    void *address;
#define X(result, name, parameters) \
    if ((address = dlsym(RTLD_NEXT, #name)) != NULL) \
        *(void **)&found.name = address; \
    else \
        missing = true;
    REAL_ALLOCATOR(X)
    REAL_PROCESS(X)
#undef X
    if (missing)
        real_forget_error();

    found.malloc_found = found.malloc;
    next = found;
    if (__atomic_load_n(&arena_used, __ATOMIC_RELAXED) > 0) {
        found.free = after_free;
        found.realloc = after_realloc;
        found.malloc_usable_size = after_malloc_usable_size;
    }
    real = found;
}
