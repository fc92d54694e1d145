/* SPDX-License-Identifier: MIT
 *
 * cxx.c: operator new and delete. As a rule these are jumps to the next ones in the loader's order: libstdc++'s call
 * malloc and free, which is where their blocks are recorded (malloc.c). Two cases need more:
 *
 *   the allocator's   An allocator that is preloaded or linked behind us (tcmalloc, jemalloc, mimalloc) has operators that do
 *                     not go through malloc: C++ code would go unseen. There a block is taken from the allocator's malloc,
 *                     whose blocks its operators know, and recorded here. When there is none, its own operator is asked: it
 *                     calls the new_handler and throws.
 *   none              The C++ library was loaded privately, by a program that has none itself: our names are found before
 *                     its own. The right one is looked for from the caller's library, once.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "cxx.h"

#include "real.h"
#include "start.h"

#include "compiler.h"
#include "recorder.h"

#include <dlfcn.h>
#include <stdlib.h>

/* X(name, parameters, names of them, size, alignment or 0): size_t is `m` in mangled names on 64-bit Linux. */
#define OPERATORS_NEW(X) \
    X(_Znwm, (size_t size), (size), 0) \
    X(_Znam, (size_t size), (size), 0) \
    X(_ZnwmRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow), 0) \
    X(_ZnamRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow), 0) \
    X(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment), alignment) \
    X(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment), alignment) \
    X(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *nothrow), (size, alignment, nothrow), alignment) \
    X(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *nothrow), (size, alignment, nothrow), alignment)

#define OPERATORS_DELETE(X) \
    X(_ZdlPv, (void *block), (block)) \
    X(_ZdaPv, (void *block), (block)) \
    X(_ZdlPvm, (void *block, size_t size), (block, size)) \
    X(_ZdaPvm, (void *block, size_t size), (block, size)) \
    X(_ZdlPvRKSt9nothrow_t, (void *block, const void *nothrow), (block, nothrow)) \
    X(_ZdaPvRKSt9nothrow_t, (void *block, const void *nothrow), (block, nothrow)) \
    X(_ZdlPvSt11align_val_t, (void *block, size_t alignment), (block, alignment)) \
    X(_ZdaPvSt11align_val_t, (void *block, size_t alignment), (block, alignment)) \
    X(_ZdlPvmSt11align_val_t, (void *block, size_t size, size_t alignment), (block, size, alignment)) \
    X(_ZdaPvmSt11align_val_t, (void *block, size_t size, size_t alignment), (block, size, alignment)) \
    X(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, const void *nothrow), (block, alignment, nothrow)) \
    X(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t alignment, const void *nothrow), (block, alignment, nothrow))

/* The next ones; NULL not looked for yet. */
static struct {
#define X(name, parameters, arguments, alignment) void *(*name) parameters;
    OPERATORS_NEW(X)
#undef X
#define X(name, parameters, arguments) void (*name) parameters;
    OPERATORS_DELETE(X)
#undef X
} next;

/* 1 the next operators are those of the allocator whose malloc is ours to call; 0 they are not; −1 not known yet. */
static int of_allocator = -1;

static const void *object_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

/* All that are to be had, at the start: then no call of one enters the loader, whose locks another thread may hold. */
void cxx_start(void)
{
    const void *plain = dlsym(RTLD_NEXT, "_Znwm");
    if (!plain) {
        real_forget_error();
        return;        /* no C++ library yet: find() looks when one of them is called */
    }
    of_allocator = object_of(plain) == object_of((const void *)real.malloc_found);
#define X(name, ...) *(void **)&next.name = dlsym(RTLD_NEXT, #name);
    OPERATORS_NEW(X)
    OPERATORS_DELETE(X)
#undef X
    real_forget_error();
}

/* Finds an operator, in the loader's order or from the library that calls it. Calls into the loader: the first call of an
 * operator that was not there at the start. */
static GM_COLD void *find(const char *name, const void *caller)
{
    real_find();
    if (of_allocator < 0) {
        const void *plain = dlsym(RTLD_NEXT, "_Znwm");
        of_allocator = plain && object_of(plain) == object_of((const void *)real.malloc_found);
    }
    void *found = dlsym(RTLD_NEXT, name);
    Dl_info info;
    if (!found && dladdr(caller, &info)) {
        void *library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        if (library && (found = dlsym(library, name)) != NULL && dladdr(found, &info))
            dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);      /* we keep a pointer into it */
        if (library)
            real.dlclose(library);
    }
    real_forget_error();
    if (!found)
        abort();      /* a program that calls an operator that is nowhere: without us it would not have been loaded */
    return found;
}

GM_INLINE void *take(size_t size, size_t alignment)
{
    void *block = NULL;
    size_t least = size ? size : 1;
    if (alignment == 0)
        return real.malloc(least);
    return real.posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, least) == 0 ? block : NULL;
}

#define X(name, parameters, arguments, alignment) \
    GM_EXPORT void *name parameters; \
    GM_EXPORT void *name parameters \
    { \
        if (GM_UNLIKELY(next.name == NULL)) \
            next.name = find(#name, __builtin_return_address(0)); \
        if (GM_LIKELY(of_allocator == 0) || !(recorder_is_active() || start_wake())) \
            return next.name arguments; \
        void *block = take(size, alignment); \
        if (GM_UNLIKELY(block == NULL)) \
            return next.name arguments; \
        recorder_born(block, size, RECORDER_CALLER()); \
        return block; \
    }
OPERATORS_NEW(X)
#undef X

#define X(name, parameters, arguments) \
    GM_EXPORT void name parameters; \
    GM_EXPORT void name parameters \
    { \
        if (GM_UNLIKELY(next.name == NULL)) \
            next.name = find(#name, __builtin_return_address(0)); \
        if (GM_UNLIKELY(of_allocator != 0) && block != NULL && recorder_is_active()) { \
            recorder_freed(block); \
            real.free(block); \
            return; \
        } \
        next.name arguments; \
    }
OPERATORS_DELETE(X)
#undef X
