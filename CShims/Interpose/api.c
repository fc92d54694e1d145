/* SPDX-License-Identifier: MIT
 *
 * api.c: the functions of ../API/include/genmark.h as a recorded program finds them. In a program that is not recorded
 * they do nothing.
 *
 * Scopes, expectations, ignored blocks and pools are declared and taken, and nothing is done with them yet: the trace
 * format has no place for them in this version. Programs that use them keep working when it gets one.
 */
#include "held.h"

#include "compiler.h"
#include "recorder.h"
#include "text.h"

#include <errno.h>
#include <stdint.h>

GM_EXPORT void genmark_mark(const char *label);
GM_EXPORT void genmark_scope_begin(const char *name);
GM_EXPORT void genmark_scope_end(void);
GM_EXPORT void genmark_expect_freed(const void *block, const char *label, uint32_t grace_ms);
GM_EXPORT void genmark_ignore(const void *block);
GM_EXPORT void genmark_custom_alloc(const void *block, size_t size);
GM_EXPORT void genmark_custom_free(const void *block);

void genmark_mark(const char *label)
{
    int before = errno;
    if (recorder_is_active())
        recorder_mark_holding(label ? label : "", label ? text_length(label) : 0, held_bytes());
    errno = before;
}

void genmark_scope_begin(const char *name) { (void)name; }

void genmark_scope_end(void) {}

void genmark_expect_freed(const void *block, const char *label, uint32_t grace_ms)
{
    (void)block;
    (void)label;
    (void)grace_ms;
}

void genmark_ignore(const void *block) { (void)block; }

void genmark_custom_alloc(const void *block, size_t size)
{
    (void)block;
    (void)size;
}

void genmark_custom_free(const void *block) { (void)block; }
