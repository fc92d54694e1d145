/* SPDX-License-Identifier: MIT
 *
 * genmark.h: what a program can tell genmark about itself. C and C++; the Swift module Genmark wraps it.
 *
 * There is nothing to link with. Each call looks for the recorder that is preloaded into the program and does nothing
 * when there is none, so the calls may stay in a program that is shipped: they cost a load and a branch.
 *
 *     for (;;) {
 *         serve_one_request();
 *         genmark_mark("request");       // ends a generation: what it leaves behind, cycle after cycle, is shown
 *     }
 *
 * All functions may be called from any thread, leave errno alone and do not allocate. Texts need only live during the
 * call; NULL is an empty text. A trace keeps the first 1,024 bytes of a label and at most 4,096 different ones.
 *
 * This version records marks. Scopes, expectations, ignored blocks and pools are taken and not yet recorded.
 */
#ifndef GENMARK_H
#define GENMARK_H

#include <stddef.h>
#include <stdint.h>

/* The recorder's function of that name, or NULL. It is loaded from the global offset table by hand: a plain weak
 * reference in code that is not position-independent would be settled as NULL when the program is linked. */
#if defined(__ELF__) && defined(__x86_64__)
#define GENMARK_FIND_(name, pointer) \
    __asm__(".weak " name "\n\tmovq " name "@GOTPCREL(%%rip), %0" : "=r"(pointer))
#elif defined(__ELF__) && defined(__aarch64__)
#define GENMARK_FIND_(name, pointer) \
    __asm__(".weak " name "\n\tadrp %0, :got:" name "\n\tldr %0, [%0, :got_lo12:" name "]" : "=r"(pointer))
#else
#define GENMARK_FIND_(name, pointer) ((pointer) = NULL)      /* genmark records on Linux, on these processors */
#endif

/* Each function has a symbol of another name here, lest its own be taken for the recorder's. */
#if defined(__ELF__)
#define GENMARK_CALL_(symbol) __asm__("genmark_call_" symbol) __attribute__((unused))
#else
#define GENMARK_CALL_(symbol)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Takes a mark: ends a generation and begins the next. Use the same label for the same point of a repeated action: the
 * marks of one label are its cycles. Takes some microseconds. Asks the allocator how much it holds, but not while signals
 * are blocked, as they are in a signal handler. */
static inline void genmark_mark(const char *label) GENMARK_CALL_("mark");

/* A named piece of work of the calling thread, from begin to end: a screen, a request. Scopes nest. */
static inline void genmark_scope_begin(const char *name) GENMARK_CALL_("scope_begin");
static inline void genmark_scope_end(void) GENMARK_CALL_("scope_end");

/* Says that `block`, which malloc or a function of its family returned, will be freed within `grace_ms` milliseconds.
 * When it is not, the report names it by `label`. */
static inline void genmark_expect_freed(const void *block, const char *label, uint32_t grace_ms) GENMARK_CALL_("expect_freed");

/* Leaves a block out of all growth: something that is kept on purpose. */
static inline void genmark_ignore(const void *block) GENMARK_CALL_("ignore");

/* For allocators of the program's own that cut many blocks from a large one: each is counted like one of malloc. */
static inline void genmark_custom_alloc(const void *block, size_t size) GENMARK_CALL_("custom_alloc");
static inline void genmark_custom_free(const void *block) GENMARK_CALL_("custom_free");

static inline void genmark_mark(const char *label)
{
    void (*recorder)(const char *);
    GENMARK_FIND_("genmark_mark", recorder);
    if (recorder)
        recorder(label);
}

static inline void genmark_scope_begin(const char *name)
{
    void (*recorder)(const char *);
    GENMARK_FIND_("genmark_scope_begin", recorder);
    if (recorder)
        recorder(name);
}

static inline void genmark_scope_end(void)
{
    void (*recorder)(void);
    GENMARK_FIND_("genmark_scope_end", recorder);
    if (recorder)
        recorder();
}

static inline void genmark_expect_freed(const void *block, const char *label, uint32_t grace_ms)
{
    void (*recorder)(const void *, const char *, uint32_t);
    GENMARK_FIND_("genmark_expect_freed", recorder);
    if (recorder)
        recorder(block, label, grace_ms);
}

static inline void genmark_ignore(const void *block)
{
    void (*recorder)(const void *);
    GENMARK_FIND_("genmark_ignore", recorder);
    if (recorder)
        recorder(block);
}

static inline void genmark_custom_alloc(const void *block, size_t size)
{
    void (*recorder)(const void *, size_t);
    GENMARK_FIND_("genmark_custom_alloc", recorder);
    if (recorder)
        recorder(block, size);
}

static inline void genmark_custom_free(const void *block)
{
    void (*recorder)(const void *);
    GENMARK_FIND_("genmark_custom_free", recorder);
    if (recorder)
        recorder(block);
}

#ifdef __cplusplus
}
#endif

#endif
