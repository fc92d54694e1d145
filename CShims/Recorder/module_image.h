/* SPDX-License-Identifier: MIT
 *
 * module_image.h: what the loader and the ELF headers in memory say of one loaded object. The table of objects is
 * module.c.
 */
#ifndef GENMARK_MODULE_IMAGE_H
#define GENMARK_MODULE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { MODULE_BUILD_ID_LIMIT = 32 };

struct module_image {
    uintptr_t start, end;          /* mapped range */
    uintptr_t code;                /* an address in it that the loader knows: it lists only the code of an object with holes */
    uintptr_t bias;
    const uint8_t *eh_frame_hdr;
    const void *identity;          /* the loader's record of it; two objects that are loaded never share one */
    uint32_t flags;                /* GM_MODULE_… */
    uint32_t build_id_size;
    uint64_t build_id[MODULE_BUILD_ID_LIMIT / 8];
    const char *name;              /* the loader's; valid while the object is loaded; "" the program itself */
    uint64_t name_hash;
};

/* Outside the hooks: where the vDSO is. */
void module_image_start(void);
/* Whether module_image_find can find objects: libc has _dl_find_object. */
bool module_image_can_find(void);
/* The object at an address: where it is, its tables and name. Lock-free. Async-signal-safe: yes. */
bool module_image_find(uintptr_t address, struct module_image *image);
/* Whether the loader's record of the object at an address is this one. Lock-free, and quicker. */
bool module_image_is_at(uintptr_t address, const void *identity);
/* The rest: hash of the name, flags, and the build-id out of the object's notes in memory, checking that they can be read. */
void module_image_complete(struct module_image *image);
/* Outside the hooks, where libc has no _dl_find_object: all loaded objects. Takes the loader's lock. */
void module_image_each(void (*call)(const struct module_image *image));
/* Calls `call` while nothing is unloaded: under the loader's lock. Outside the hooks, with no lock of ours held. */
void module_image_hold(void (*call)(void *context), void *context);
/* Whether that very object is still at its place. Where the object may be unloaded meanwhile, inside module_image_hold. */
bool module_image_still_loaded(const struct module_image *image);
/* Two descriptions of one loaded object. */
bool module_image_same(const struct module_image *a, const struct module_image *b);

#endif
