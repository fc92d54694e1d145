/* SPDX-License-Identifier: MIT
 *
 * passthrough.c: a preload library that stands in front of malloc and hands every call on to whatever allocator the
 * program has (glibc's, or one it is linked with): the least that any recorder of this kind can cost. It keeps nothing and
 * is no part of genmark.
 */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Looking a function up may itself allocate, before anything is known: that comes from here and is never given back. */
static char early[16384] __attribute__((aligned(16)));
static size_t early_used;

static void *early_block(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > sizeof early - early_used)
        return NULL;
    early_used += size;
    return early + early_used - size;
}

static int is_early(const void *block) { return (const char *)block >= early && (const char *)block < early + sizeof early; }

#define NEXT(name, result, parameters) static result(*next_##name) parameters;
NEXT(malloc, void *, (size_t))
NEXT(calloc, void *, (size_t, size_t))
NEXT(realloc, void *, (void *, size_t))
NEXT(free, void, (void *))
NEXT(memalign, void *, (size_t, size_t))
NEXT(aligned_alloc, void *, (size_t, size_t))
NEXT(posix_memalign, int, (void **, size_t, size_t))
NEXT(malloc_usable_size, size_t, (void *))

static int looking;

__attribute__((constructor, cold, noinline)) static void look_up(void)
{
    looking = 1;
#define LOOK_UP(name) next_##name = dlsym(RTLD_NEXT, #name)
    LOOK_UP(calloc);
    LOOK_UP(realloc);
    LOOK_UP(free);
    LOOK_UP(memalign);
    LOOK_UP(aligned_alloc);
    LOOK_UP(posix_memalign);
    LOOK_UP(malloc_usable_size);
    LOOK_UP(malloc);
    looking = 0;
}

/* Whether the call can be handed on; false while names are being looked up. */
static inline int ready(void)
{
    if (__builtin_expect(next_malloc != NULL, 1))
        return 1;
    if (looking)
        return 0;
    look_up();
    return 1;
}

void *malloc(size_t size) { return ready() ? next_malloc(size) : early_block(size); }
void *calloc(size_t count, size_t size) { return ready() ? next_calloc(count, size) : early_block(count * size); }

void *realloc(void *block, size_t size)
{
    if (__builtin_expect(!is_early(block), 1))
        return ready() ? next_realloc(block, size) : early_block(size);
    void *made = malloc(size);
    size_t most = (size_t)(early + sizeof early - (char *)block);
    return made ? memcpy(made, block, size < most ? size : most) : NULL;
}

void free(void *block)
{
    if (__builtin_expect(!is_early(block) && ready(), 1))
        next_free(block);
}

void *memalign(size_t alignment, size_t size) { return ready() ? next_memalign(alignment, size) : NULL; }
void *aligned_alloc(size_t alignment, size_t size) { return ready() ? next_aligned_alloc(alignment, size) : NULL; }
int posix_memalign(void **block, size_t alignment, size_t size)
{
    return ready() ? next_posix_memalign(block, alignment, size) : 12;    /* ENOMEM */
}
size_t malloc_usable_size(void *block) { return is_early(block) || !ready() ? 0 : next_malloc_usable_size(block); }
