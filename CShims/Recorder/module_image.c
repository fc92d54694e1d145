/* SPDX-License-Identifier: MIT
 *
 * module_image.c: one loaded object as the loader and its own headers describe it.
 *
 * _dl_find_object (glibc 2.35) takes no lock and may be called anywhere. Without it objects are listed by
 * dl_iterate_phdr, which takes the loader's lock and is for the outside of hooks only.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "module_image.h"

#include "genmark_trace.h"
#include "os.h"
#include "unwind_cfi.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#ifdef DLFO_STRUCT_HAS_EH_DBASE
#define HAVE_FIND_OBJECT 1
#pragma weak _dl_find_object
#else
#define HAVE_FIND_OBJECT 0
#endif

enum { NOTE_NAME_SIZE = 4, BUILD_ID_NOTE = 3 /* NT_GNU_BUILD_ID */ };

static uintptr_t vdso_start;
static uintptr_t program_headers;

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325ull;
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 0x100000001b3ull;
    return hash;
}

static uint32_t flags_of(const struct module_image *image)
{
    if (vdso_start && vdso_start >= image->start && vdso_start < image->end)
        return GM_MODULE_VDSO;
    /* The program comes first: in a test the recorder is part of it. glibc gives it no name, musl its path. */
    if (!image->name[0] || (program_headers >= image->start && program_headers < image->end))
        return GM_MODULE_MAIN;
    uintptr_t here = (uintptr_t)&vdso_start;
    return here >= image->start && here < image->end ? GM_MODULE_RECORDER : 0;
}

void module_image_start(void)
{
    vdso_start = getauxval(AT_SYSINFO_EHDR);
    program_headers = getauxval(AT_PHDR);
}

bool module_image_can_find(void)
{
#if HAVE_FIND_OBJECT
    return _dl_find_object != NULL;
#else
    return false;
#endif
}

/* The ELF header of an object, when it is in memory at `start` and its program headers are on the same page. */
static const ElfW(Ehdr) *header_at(uintptr_t start)
{
    enum { PAGE = 4096 };
    const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)start;
    if (start == 0 || (start & 7) || !unwind_can_read(start) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phoff > PAGE ||
        header->e_phnum > (PAGE - header->e_phoff) / sizeof(ElfW(Phdr)))
        return NULL;
    return header;
}

static const ElfW(Phdr) *segments_of(const ElfW(Ehdr) *header)
{
    return (const ElfW(Phdr) *)((uintptr_t)header + header->e_phoff);
}

#if HAVE_FIND_OBJECT
/* Of an object whose segments lie apart (a page left out between code and data, as older linkers do it), glibc gives the
 * segment with the code only: the unwind tables and the headers lie outside. The kernel says where the program's own are;
 * a library's begin where it was loaded. */
static void widen(struct module_image *image)
{
    const ElfW(Phdr) *segments = NULL;
    unsigned count = 0;
    if (!image->name[0]) {
        segments = (const ElfW(Phdr) *)getauxval(AT_PHDR);
        count = (unsigned)getauxval(AT_PHNUM);
    } else {
        const ElfW(Ehdr) *header = header_at(image->bias);
        if (header) {
            segments = segments_of(header);
            count = header->e_phnum;
        }
    }
    for (unsigned i = 0; segments && i < count; i++) {
        if (segments[i].p_type != PT_LOAD)
            continue;
        uintptr_t low = (image->bias + segments[i].p_vaddr) & ~(uintptr_t)4095;
        uintptr_t high = image->bias + segments[i].p_vaddr + segments[i].p_memsz;
        image->start = low < image->start ? low : image->start;
        image->end = high > image->end ? high : image->end;
    }
}
#endif

bool module_image_find(uintptr_t address, struct module_image *image)
{
#if HAVE_FIND_OBJECT
    struct dl_find_object found;
    if (!_dl_find_object || _dl_find_object((void *)address, &found) != 0)
        return false;
    const struct link_map *map = found.dlfo_link_map;
    *image = (struct module_image){
        .start = (uintptr_t)found.dlfo_map_start,
        .end = (uintptr_t)found.dlfo_map_end,
        .code = (uintptr_t)found.dlfo_map_start,
        .bias = map->l_addr,
        .eh_frame_hdr = found.dlfo_eh_frame,
        .identity = map,
        .name = map->l_name ? map->l_name : "",
    };
    uintptr_t tables = (uintptr_t)image->eh_frame_hdr;
    if (tables && (tables < image->start || tables >= image->end))
        widen(image);
    return true;
#else
    (void)address;
    (void)image;
    return false;
#endif
}

bool module_image_is_at(uintptr_t address, const void *identity)
{
#if HAVE_FIND_OBJECT
    struct dl_find_object found;
    return _dl_find_object && _dl_find_object((void *)address, &found) == 0 && found.dlfo_link_map == identity;
#else
    (void)address;
    (void)identity;
    return false;
#endif
}

/* The build-id in one segment of notes: size, kind and name of each, padded to four bytes. */
static bool notes_build_id(const uint8_t *at, size_t size, struct module_image *image)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        size_t name = ((size_t)note.n_namesz + 3) & ~(size_t)3, body = ((size_t)note.n_descsz + 3) & ~(size_t)3;
        if (name > size - sizeof note || body > size - sizeof note - name)
            return false;
        const uint8_t *text = at + sizeof note, *bytes = text + name;
        if (note.n_type == BUILD_ID_NOTE && note.n_namesz == NOTE_NAME_SIZE && memcmp(text, "GNU", NOTE_NAME_SIZE) == 0 &&
            note.n_descsz > 0) {
            image->build_id_size = note.n_descsz < MODULE_BUILD_ID_LIMIT ? note.n_descsz : MODULE_BUILD_ID_LIMIT;
            memcpy(image->build_id, bytes, image->build_id_size);
            return true;
        }
        at = bytes + body;
        size -= sizeof note + name + body;
    }
    return false;
}

static void read_build_id(struct module_image *image)
{
    /* The first segment of every linker we know begins with the ELF header and the program headers. */
    const ElfW(Ehdr) *header = header_at(image->start);
    if (!header)
        return;
    const ElfW(Phdr) *segments = segments_of(header);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        uintptr_t start = image->bias + segments[i].p_vaddr;
        size_t size = segments[i].p_memsz;
        if (segments[i].p_type != PT_NOTE || size == 0 || start < image->start || start >= image->end ||
            size > image->end - start)
            continue;
        if (unwind_can_read(start & ~(uintptr_t)7) && unwind_can_read((start + size - 1) & ~(uintptr_t)7) &&
            notes_build_id((const uint8_t *)start, size, image))
            return;
    }
}

void module_image_complete(struct module_image *image)
{
    image->name_hash = hash_text(image->name);
    image->flags = flags_of(image);
    read_build_id(image);
}

struct each {
    void (*call)(const struct module_image *image);
    const struct module_image *wanted;
    bool found;
};

static int each_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct each *each = context;
    struct module_image image = {
        .start = UINTPTR_MAX, .bias = info->dlpi_addr, .identity = info->dlpi_phdr,
        .name = info->dlpi_name ? info->dlpi_name : "",
    };
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type == PT_LOAD) {
            start &= ~(uintptr_t)4095;
            image.start = start < image.start ? start : image.start;
            image.end = end > image.end ? end : image.end;
        } else if (segment->p_type == PT_GNU_EH_FRAME) {
            image.eh_frame_hdr = (const uint8_t *)start;
        }
    }
    if (image.start >= image.end)
        return 0;
    image.code = image.start;
    module_image_complete(&image);
    if (each->call)
        each->call(&image);
    if (each->wanted && module_image_same(&image, each->wanted))
        each->found = true;
    return each->found;
}

void module_image_each(void (*call)(const struct module_image *image))
{
    struct each each = {.call = call};
    dl_iterate_phdr(each_object, &each);
}

struct hold {
    void (*call)(void *context);
    void *context;
};

static int held(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)info, (void)size;
    struct hold *hold = context;
    hold->call(hold->context);
    return 1;
}

void module_image_hold(void (*call)(void *context), void *context)
{
    dl_iterate_phdr(held, &(struct hold){call, context});
}

bool module_image_still_loaded(const struct module_image *image)
{
    struct module_image now;
    if (!module_image_can_find()) {
        struct each each = {.wanted = image};
        dl_iterate_phdr(each_object, &each);
        return each.found;
    }
    if (!module_image_find(image->code, &now))
        return false;
    module_image_complete(&now);
    return module_image_same(image, &now);
}

bool module_image_same(const struct module_image *a, const struct module_image *b)
{
    return a->start == b->start && a->end == b->end && a->bias == b->bias && a->identity == b->identity &&
           a->eh_frame_hdr == b->eh_frame_hdr && a->name_hash == b->name_hash && a->build_id_size == b->build_id_size &&
           memcmp(a->build_id, b->build_id, sizeof a->build_id) == 0;
}
