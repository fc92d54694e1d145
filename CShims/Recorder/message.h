/* SPDX-License-Identifier: MIT
 *
 * message.h: the only writer to the program's standard error. Says one line `genmark: …` when something went wrong
 * that the user must know: a trace that could not be made, a setting that could not be read.
 *
 * Raw write, no stdio, no locale, no allocation. Nothing is written when GENMARK_QUIET is set, when the limit of
 * MESSAGE_LIMIT lines is reached, or when descriptor 2 is not the file any more that it was at the start.
 */
#ifndef GENMARK_MESSAGE_H
#define GENMARK_MESSAGE_H

#include <stddef.h>

enum { MESSAGE_LIMIT = 8 };

/* Remembers what standard error is. Until then nothing is written. Called by settings_read. */
void message_start(void);

/* Writes the parts, joined, as one line. Ends with NULL. Control characters in them become '?'. Async-signal-safe: yes. */
void message_line(const char *part, ...) __attribute__((sentinel));

/* English for an errno value (positive or negative), without the C library. Never NULL. */
const char *message_error(long error);

#endif
