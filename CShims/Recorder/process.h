/* SPDX-License-Identifier: MIT
 *
 * process.h: the recorder's life in a process: start, end, fork, closed libraries. The interposer calls recorder.h; what the
 * recorder's own files need of it is here.
 */
#ifndef GENMARK_PROCESS_H
#define GENMARK_PROCESS_H

#include "genmark_mark.h"

/* Time, resident memory and threads of this process now; 0 where the kernel does not say. */
struct gm_sample process_sample(void);

#endif
