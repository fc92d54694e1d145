/* SPDX-License-Identifier: MIT
 *
 * trace_format.c: holds the compiler to genmark_trace.h: sizes, offsets, alignment, byte order. No code.
 */
#include "genmark_trace.h"
#include "genmark_trace_access.h"

#include <stddef.h>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "a trace is little endian, and so must be the machine that records it"
#endif

_Static_assert(sizeof(struct gm_header) <= GM_HEADER_SIZE, "header fits its page");
_Static_assert(offsetof(struct gm_header, used) == 192, "growth words on a line of their own");
_Static_assert(offsetof(struct gm_header, lock) == 256, "mark words on a line of their own");
_Static_assert(offsetof(struct gm_header, node_count) == 320, "counts on a line of their own");
_Static_assert(offsetof(struct gm_header, end_kind) == 384, "end on a line of its own");
_Static_assert(offsetof(struct gm_header, losses) == 448, "losses after the end");
_Static_assert(sizeof(struct gm_string) == 16, "no padding");
_Static_assert(sizeof(struct gm_extent) == GM_EXTENT_HEADER_SIZE, "an extent's elements begin on a line");
_Static_assert(sizeof(struct gm_node) == 16, "no padding");
_Static_assert(sizeof(struct gm_cell) == 64, "one line");
_Static_assert(sizeof(struct gm_counter) == 32, "two 16-byte stores");
_Static_assert(offsetof(struct gm_counter, freed_blocks) == 16, "freed is the second 16-byte store");
_Static_assert(sizeof(struct gm_module) == 136, "no padding");
_Static_assert(sizeof(struct gm_label) == 32, "no padding");
_Static_assert(sizeof(struct gm_bank) == 64, "one line");
_Static_assert(sizeof(struct gm_mark) == 128, "two lines");
_Static_assert(sizeof(struct gm_change) == 24, "no padding");
_Static_assert(GM_CELLS_PER_EXTENT / GM_CELLS_PER_DIRTY_BYTE == 64, "dirty bytes fill one line");
