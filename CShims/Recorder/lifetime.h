/* SPDX-License-Identifier: MIT
 *
 * lifetime.h: the recorder's life in a process: start, end, fork, closed libraries. The interposer calls recorder.h; what the
 * recorder's own files need of it is here.
 */
#ifndef GENMARK_LIFETIME_H
#define GENMARK_LIFETIME_H

#include "genmark_mark.h"

/* Time, resident memory and threads of this process now; 0 where the kernel does not say. */
struct gm_sample lifetime_sample(void);

#endif
