/* SPDX-License-Identifier: MIT
 *
 * deepbind.h: the hook on dlopen, as far as others need it; what it does is in deepbind.c.
 */
#ifndef GENMARK_DEEPBIND_H
#define GENMARK_DEEPBIND_H

/* Sees to libraries that were loaded with RTLD_DEEPBIND in a way that could not be watched. Calls into the loader. */
void deepbind_see_to_pending(void);

#endif
