/* SPDX-License-Identifier: MIT
 *
 * text.c: see text.h.
 */
#include "text.h"

struct text text_in(char *buffer, size_t size)
{
    buffer[0] = '\0';
    return (struct text){.bytes = buffer, .size = size};
}

void text_add_bytes(struct text *text, const char *added, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text->length + 1 >= text->size) {
            text->cut = true;
            break;
        }
        text->bytes[text->length++] = added[i];
    }
    text->bytes[text->length] = '\0';
}

void text_add(struct text *text, const char *added) { text_add_bytes(text, added, text_length(added)); }

void text_add_number(struct text *text, uint64_t number) { text_add_padded(text, number, 1); }

void text_add_padded(struct text *text, uint64_t number, unsigned digits)
{
    char reversed[20];
    unsigned count = 0;
    while (count < sizeof reversed && (number != 0 || count < digits)) {
        reversed[count++] = (char)('0' + number % 10);
        number /= 10;
    }
    while (count > 0)
        text_add_bytes(text, &reversed[--count], 1);
}

size_t text_length(const char *text)
{
    size_t length = 0;
    /* The barrier keeps the compiler from making this loop a call of strlen, which the program may have replaced. */
    while (text[length] != '\0') {
        length++;
        __asm__("" : "+r"(length));
    }
    return length;
}

bool text_equal(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

bool text_starts(const char *text, const char *start)
{
    while (*start != '\0' && *text == *start)
        text++, start++;
    return *start == '\0';
}

const char *text_base(const char *path)
{
    const char *base = path;
    for (; *path != '\0'; path++) {
        if (*path == '/')
            base = path + 1;
    }
    return base;
}
