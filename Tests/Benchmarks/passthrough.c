/* SPDX-License-Identifier: MIT
 *
 * passthrough.c: a preload library that stands in front of malloc and hands every call on: the least that any recorder
 * of this kind can cost. It keeps nothing and is no part of genmark.
 */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) { return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return __libc_realloc(block, size); }
void *memalign(size_t alignment, size_t size) { return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return __libc_memalign(alignment, size); }
void free(void *block) { __libc_free(block); }

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *made = __libc_memalign(alignment, size);
    if (!made)
        return 12;    /* ENOMEM */
    *block = made;
    return 0;
}
