/* SPDX-License-Identifier: MIT
 *
 * mark_internal.h: what the files of CMark share among themselves.
 */
#ifndef GENMARK_MARK_INTERNAL_H
#define GENMARK_MARK_INTERNAL_H

#include "genmark_mark.h"

/* The first bank of a new trace. Under the lock. */
bool gm_bank_begin(struct gm_file *file);

#endif
