/* SPDX-License-Identifier: MIT
 *
 * text.h: building short texts in a buffer of fixed size, without stdio, locale or allocation.
 */
#ifndef GENMARK_TEXT_H
#define GENMARK_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Always ends with a zero byte. `cut`: something did not fit and was left out. */
struct text {
    char *bytes;
    size_t size;           /* of the buffer, at least 1 */
    size_t length;
    bool cut;
};

struct text text_in(char *buffer, size_t size);
void text_add(struct text *text, const char *added);
void text_add_bytes(struct text *text, const char *added, size_t length);
void text_add_number(struct text *text, uint64_t number);
/* With leading zeros to `digits` places (at most 20). */
void text_add_padded(struct text *text, uint64_t number, unsigned digits);

/* What the C library's functions of these names do; theirs may be the program's. */
size_t text_length(const char *text);
bool text_equal(const char *a, const char *b);
bool text_starts(const char *text, const char *start);
/* After the last slash. */
const char *text_base(const char *path);

#endif
