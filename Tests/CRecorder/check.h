/* SPDX-License-Identifier: MIT
 *
 * check.h: what the C unit tests share: CHECK counts and says what failed; CHECK_REPORT is main's last line.
 */
#ifndef GENMARK_CHECK_H
#define GENMARK_CHECK_H

#include <stdio.h>

static int check_passed, check_failed;

#if defined(__SANITIZE_THREAD__)
#define CHECK_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHECK_THREADS 1
#endif
#endif
#ifdef CHECK_THREADS
/* libunwind starts itself up under a lock of its own, which ThreadSanitizer cannot see: the library is not built for it. */
const char *__tsan_default_suppressions(void);
__attribute__((visibility("default"), used)) const char *__tsan_default_suppressions(void)
{
    return "race:libunwind.so\n";
}
#endif

#define CHECK(condition)                                                                            \
    do {                                                                                            \
        if (condition) {                                                                            \
            check_passed++;                                                                         \
        } else {                                                                                    \
            check_failed++;                                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                 \
        }                                                                                           \
    } while (0)

#define CHECK_EQUAL(a, b)                                                                           \
    do {                                                                                            \
        long long check_a = (long long)(a), check_b = (long long)(b);                               \
        if (check_a == check_b) {                                                                   \
            check_passed++;                                                                         \
        } else {                                                                                    \
            check_failed++;                                                                         \
            fprintf(stderr, "%s:%d: %s is %lld, must be %lld\n", __FILE__, __LINE__, #a, check_a, check_b); \
        }                                                                                           \
    } while (0)

#define CHECK_REPORT() (printf("%d checks passed, %d failed\n", check_passed, check_failed), check_failed != 0)

#endif
