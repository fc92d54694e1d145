/* SPDX-License-Identifier: MIT
 *
 * cxx.h: operator new and delete, as far as others need them; what they do is in cxx.c.
 */
#ifndef GENMARK_CXX_H
#define GENMARK_CXX_H

/* Finds the operators behind ours. Calls into the loader: once, at the start, after real_find. */
void cxx_start(void);

#endif
