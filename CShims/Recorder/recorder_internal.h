/* SPDX-License-Identifier: MIT
 *
 * recorder_internal.h: what the recorder's own files call in recorder.c; not for the interposer.
 */
#ifndef GENMARK_RECORDER_INTERNAL_H
#define GENMARK_RECORDER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the program has one thread, and is known to. */
bool recorder_is_alone(void);
/* Counts a block of a cell as freed, in the calling thread's shard. */
void recorder_count_freed(uint32_t cell, size_t size);

#endif
