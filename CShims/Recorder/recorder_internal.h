/* SPDX-License-Identifier: MIT
 *
 * recorder_internal.h: what the recorder's own files call in recorder.c; not for the interposer.
 */
#ifndef GENMARK_RECORDER_INTERNAL_H
#define GENMARK_RECORDER_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

/* Counts a block of a cell as freed, in the calling thread's shard. */
void recorder_count_freed(uint32_t cell, size_t size);

#endif
