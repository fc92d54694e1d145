/* SPDX-License-Identifier: MIT
 *
 * deepbind.c: libraries that are loaded with RTLD_DEEPBIND. They find libc's malloc before ours, so that what they allocate
 * would go unseen, and what they free of the program's would look alive for ever. So the places in which such a library keeps
 * the addresses of libc's functions are led to our hooks, right after it was loaded; all else that it prefers stays as it is.
 *
 * Every other dlopen is handed on by a jump, not a call: libc looks at who called to know whose RUNPATH and $ORIGIN count. For one
 * with RTLD_DEEPBIND we look through the caller's folders ourselves; where its name has $ORIGIN in it, it is handed on like the
 * others, and its library is seen to at the next dlopen or dlclose. Namespaces (dlmopen) have a libc and a heap of their own, which are left alone.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "deepbind.h"

#include "real.h"

#include "compiler.h"
#include "os.h"
#include "recorder.h"
#include "text.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef RTLD_DEEPBIND

#if defined(__x86_64__)
enum { SLOT_CALL = R_X86_64_JUMP_SLOT, SLOT_DATA = R_X86_64_GLOB_DAT, SLOT_WORD = R_X86_64_64 };
#else
enum { SLOT_CALL = R_AARCH64_JUMP_SLOT, SLOT_DATA = R_AARCH64_GLOB_DAT, SLOT_WORD = R_AARCH64_ABS64 };
#endif

/* X(name): what a library may call that we stand in front of and that matters for blocks and for the end of the process. */
#define LED(X) \
    X(malloc) X(calloc) X(realloc) X(reallocarray) X(free) X(posix_memalign) X(aligned_alloc) X(memalign) X(valloc) \
    X(malloc_usable_size) X(dlclose) X(_exit) X(execve) X(execv) X(execvp) X(posix_spawn) X(posix_spawnp)

struct lead {
    const char *name;
    uintptr_t ours, libcs;             /* libcs: 0 when the library would not get libc's */
};

struct search {
    struct lead leads[24];
    unsigned count;
    uintptr_t from;                    /* bias of the library; those listed after it were loaded after it */
    bool reached;
};

static bool pending;                   /* a library was loaded unseen */

static uintptr_t in_memory(uintptr_t pointer, uintptr_t bias) { return pointer < bias ? pointer + bias : pointer; }

static const struct lead *lead_of(const struct search *search, const char *name)
{
    for (unsigned i = 0; i < search->count; i++)
        if (search->leads[i].libcs != 0 && text_equal(search->leads[i].name, name))
            return &search->leads[i];
    return NULL;
}

struct object {
    uintptr_t bias, start, end, fixed, fixed_end;      /* fixed: made read-only after relocation */
    const ElfW(Sym) *symbols;
    const char *names;
};

static void set_slot(const struct object *object, uintptr_t *slot, uintptr_t value)
{
    uintptr_t page = (uintptr_t)slot & ~(uintptr_t)4095;
    bool is_fixed = page >= object->fixed && page < object->fixed_end;
    if (is_fixed && os_call(SYS_mprotect, (long)page, 4096, PROT_READ | PROT_WRITE, 0, 0, 0) != 0)
        return;
    __atomic_store_n(slot, value, __ATOMIC_RELEASE);
    if (is_fixed)
        os_call(SYS_mprotect, (long)page, 4096, PROT_READ, 0, 0, 0);
}

static void lead_table(const struct search *search, const struct object *object, const ElfW(Rela) *entries, size_t size)
{
    for (size_t i = 0; i < size / sizeof *entries; i++) {
        unsigned kind = (unsigned)ELF64_R_TYPE(entries[i].r_info);
        const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(entries[i].r_info)];
        if ((kind != SLOT_CALL && kind != SLOT_DATA && kind != SLOT_WORD) || symbol->st_shndx != SHN_UNDEF ||
            (kind == SLOT_WORD && entries[i].r_addend != 0))
            continue;
        const struct lead *lead = lead_of(search, object->names + symbol->st_name);
        if (!lead)
            continue;
        uintptr_t *slot = (uintptr_t *)(object->bias + entries[i].r_offset);
        uintptr_t value = __atomic_load_n(slot, __ATOMIC_RELAXED);
        /* Not bound yet: it leads back into the library. */
        bool is_lazy = kind == SLOT_CALL && value >= object->start && value < object->end;
        if (value == lead->libcs || is_lazy)
            set_slot(object, slot, lead->ours);
    }
}

static int lead_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    search->reached = search->reached || info->dlpi_addr == search->from;
    if (!search->reached)
        return 0;
    struct object object = {.bias = info->dlpi_addr, .start = UINTPTR_MAX};
    const ElfW(Dyn) *dynamic = NULL;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type == PT_LOAD) {
            object.start = start < object.start ? start : object.start;
            object.end = end > object.end ? end : object.end;
        } else if (segment->p_type == PT_DYNAMIC) {
            dynamic = (const ElfW(Dyn) *)start;
        } else if (segment->p_type == PT_GNU_RELRO) {
            object.fixed = start & ~(uintptr_t)4095;
            object.fixed_end = end & ~(uintptr_t)4095;
        }
    }
    uintptr_t calls = 0, others = 0, symbols = 0, names = 0;
    size_t calls_size = 0, others_size = 0;
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
        switch (dynamic->d_tag) {
        case DT_SYMTAB: symbols = dynamic->d_un.d_ptr; break;
        case DT_STRTAB: names = dynamic->d_un.d_ptr; break;
        case DT_JMPREL: calls = dynamic->d_un.d_ptr; break;
        case DT_PLTRELSZ: calls_size = dynamic->d_un.d_val; break;
        case DT_RELA: others = dynamic->d_un.d_ptr; break;
        case DT_RELASZ: others_size = dynamic->d_un.d_val; break;
        default: break;
        }
    }
    if (!symbols || !names)
        return 0;
    object.symbols = (const ElfW(Sym) *)in_memory(symbols, object.bias);
    object.names = (const char *)in_memory(names, object.bias);
    if (calls)
        lead_table(search, &object, (const ElfW(Rela) *)in_memory(calls, object.bias), calls_size);
    if (others)
        lead_table(search, &object, (const ElfW(Rela) *)in_memory(others, object.bias), others_size);
    return 0;
}

/* Leads the library and what was loaded after it. Outside the loader; calls into it. */
static GM_COLD void lead(void *library)
{
    struct search search = {.from = ((struct link_map *)library)->l_addr};
    /* What it would get: libc's, unless it brings an allocator of its own. */
#define X(name_) \
    { \
        uintptr_t theirs = (uintptr_t)dlsym(library, #name_), next = (uintptr_t)dlsym(RTLD_NEXT, #name_); \
        search.leads[search.count++] = (struct lead){#name_, (uintptr_t)name_, theirs == next ? next : 0}; \
    }
    LED(X)
#undef X
    dlerror();
    dl_iterate_phdr(lead_object, &search);
}

void deepbind_see_to_pending(void)
{
    if (GM_LIKELY(!__atomic_load_n(&pending, __ATOMIC_RELAXED)))
        return;
    __atomic_store_n(&pending, false, __ATOMIC_RELAXED);
    void *first = dlopen(NULL, RTLD_LAZY);      /* the program: all others come after it */
    if (first)
        lead(first);
}

enum { PATH_SIZE = 4096, SEARCH_SIZE = 64 * 1024 };

/* Where a library that is looked for on behalf of `caller` lies, when it is in one of the folders that libc would look through
 * first (RPATH, LD_LIBRARY_PATH, RUNPATH); false where all callers find the same one. */
static bool search_for_caller(const char *name, const void *caller, char path[PATH_SIZE])
{
    Dl_info info;
    struct link_map *map = NULL;
    void *loaded = real.dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded) {
        real.dlclose(loaded);
        return false;
    }
    Dl_serinfo *places = os_map(SEARCH_SIZE);
    bool found = false;
    if (places && dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) && map && dlinfo(map, RTLD_DI_SERINFOSIZE, places) == 0 &&
        places->dls_size <= SEARCH_SIZE && dlinfo(map, RTLD_DI_SERINFO, places) == 0) {
        for (unsigned i = 0; i < places->dls_cnt && !found; i++) {
            struct text text = text_in(path, PATH_SIZE);
            text_add(&text, places->dls_serpath[i].dls_name);
            text_add(&text, "/");
            text_add(&text, name);
            found = !text.cut && os_call(SYS_faccessat, AT_FDCWD, (long)path, R_OK, 0, 0, 0) == 0;
        }
    }
    if (places)
        os_unmap(places, SEARCH_SIZE);
    dlerror();
    return found;
}

static bool has(const char *text, char wanted)
{
    while (*text != '\0' && *text != wanted)
        text++;
    return *text != '\0';
}

static GM_COLD void *open_deep(const char *path, int mode, const void *caller)
{
    char found[PATH_SIZE];
    if (!has(path, '/') && search_for_caller(path, caller, found))
        path = found;
    void *library = real.dlopen(path, mode);
    if (library) {
        int before = errno;
        lead(library);
        errno = before;
    }
    return library;
}

GM_EXPORT void *dlopen(const char *path, int mode)
{
    if (GM_UNLIKELY(real.dlopen == NULL))
        real_find();
    if (GM_UNLIKELY((mode & RTLD_DEEPBIND) != 0) && path != NULL && recorder_is_active()) {
        if (!has(path, '$'))
            return open_deep(path, mode, __builtin_return_address(0));
        __atomic_store_n(&pending, true, __ATOMIC_RELAXED);
    } else if (GM_UNLIKELY(pending)) {
        deepbind_see_to_pending();
    }
    return real.dlopen(path, mode);
}

#else

void deepbind_see_to_pending(void) {}

GM_EXPORT void *dlopen(const char *path, int mode)
{
    if (GM_UNLIKELY(real.dlopen == NULL))
        real_find();
    return real.dlopen(path, mode);
}

#endif
