/* SPDX-License-Identifier: MIT
 *
 * livemap_side.h: the side table of the live map: blocks that have no place in the shadow tables of livemap.h. An open hash in
 * 64 parts, each with a lock and an array of its own; it makes no difference what the addresses are.
 */
#ifndef GENMARK_LIVEMAP_SIDE_H
#define GENMARK_LIVEMAP_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool side_start(void);
/* Enters a block that is not there. False when there is no memory for it. */
bool side_put(uintptr_t address, uint32_t cell, size_t size);
/* Takes a block out: its cell and size, or 0. Takes no lock as long as the whole table is empty. */
uint32_t side_take(uintptr_t address, size_t *size);
/* Maps what the next blocks will need. */
void side_reserve(void);

#endif
