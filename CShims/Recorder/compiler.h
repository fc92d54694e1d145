/* SPDX-License-Identifier: MIT
 *
 * compiler.h: what the compiler is told: branches, visibility, the thread-local model; nothing else.
 */
#ifndef GENMARK_COMPILER_H
#define GENMARK_COMPILER_H

#define GM_LIKELY(x) __builtin_expect(!!(x), 1)
#define GM_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define GM_COLD __attribute__((cold, noinline))
#define GM_INLINE static inline __attribute__((always_inline))
/* On declarations of variables: reached without the global offset table. */
#define GM_HIDDEN __attribute__((visibility("hidden")))
#define GM_EXPORT __attribute__((visibility("default")))
/* Initial-exec: reaching a thread-local must never call __tls_get_addr, which may allocate. */
#define GM_THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))

#endif
