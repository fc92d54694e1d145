/* SPDX-License-Identifier: MIT
 *
 * livemap_internal.h: what livemap.c and livemap_sweep.c tell each other. What the rest of the recorder sees is livemap.h.
 */
#ifndef GENMARK_LIVEMAP_INTERNAL_H
#define GENMARK_LIVEMAP_INTERNAL_H

#include "compiler.h"

#include <stdbool.h>
#include <stdint.h>

/* Numbers of all regions, and one, in the order in which they were met; 0 for a moment after they were counted. Those past the
 * limit (4 TiB of heap) are never swept. */
enum { LIVEMAP_LIST_LIMIT = 1 << 16 };
extern uint32_t *livemap_region_list GM_HIDDEN;
extern uint32_t livemap_region_count GM_HIDDEN;

void livemap_sweep_start(void);
/* Takes out a block that was not found in the shadow tables because its page was just being moved: its cell, or 0 when it is not
 * there indeed. */
uint32_t livemap_take_moved(uintptr_t address, uint32_t *slack);
/* Whether a sweep has put back the entry of this address. Asked when an entry is found where none should be. */
bool livemap_was_put_back(uintptr_t address);

#endif
