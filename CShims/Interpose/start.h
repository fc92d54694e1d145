/* SPDX-License-Identifier: MIT
 *
 * start.h: the start of recording in this process: at its first allocation, or in the constructor of libgenmark.so,
 * whichever comes first.
 */
#ifndef GENMARK_START_H
#define GENMARK_START_H

#include <stdbool.h>

/* Called by a hook while nothing is recorded: starts what has not been started, here or in the child of a fork. Returns
 * whether recording is active now. errno as it was. */
bool start_wake(void);

#endif
