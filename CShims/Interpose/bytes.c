/* SPDX-License-Identifier: MIT
 *
 * bytes.c: the few functions of <string.h> that the recorder uses and that compilers call by themselves, for
 * libgenmark.so alone. By name they would lead to the program's own, where it has some, and those may allocate: back into a
 * hook, with the recorder's locks held. Hidden, so that every call in the library ends here.
 *
 * None is on the way of an ordinary malloc or free.
 */
#include <stddef.h>
#include <stdint.h>

/* Loops that must not be turned into calls of the very function. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize "no-tree-loop-distribute-patterns"
#endif
#define OWN __attribute__((visibility("hidden"), used))

OWN void *memcpy(void *restrict to, const void *restrict from, size_t size);
OWN void *memmove(void *to, const void *from, size_t size);
OWN void *memset(void *to, int byte, size_t size);
OWN int memcmp(const void *a, const void *b, size_t size);
OWN size_t strlen(const char *text);
OWN char *strchr(const char *text, int c);
OWN char *strrchr(const char *text, int c);

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
#if defined(__x86_64__)
    void *at = to;
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(size) : : "memory");
#else
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
#endif
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    if ((uintptr_t)to - (uintptr_t)from >= size)
        return memcpy(to, from, size);
    while (size-- > 0)
        ((volatile char *)to)[size] = ((const char *)from)[size];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
#if defined(__x86_64__)
    void *at = to;
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(byte) : "memory");
#else
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = (char)byte;
#endif
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *left = a, *right = b;
    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

size_t strlen(const char *text)
{
    const volatile char *at = text;
    while (*at != '\0')
        at++;
    return (size_t)(at - text);
}

char *strchr(const char *text, int c)
{
    for (;; text++) {
        if (*text == (char)c)
            return (char *)(uintptr_t)text;
        if (*text == '\0')
            return NULL;
    }
}

char *strrchr(const char *text, int c)
{
    const char *found = NULL;
    for (;; text++) {
        if (*text == (char)c)
            found = text;
        if (*text == '\0')
            return (char *)(uintptr_t)found;
    }
}
