/* SPDX-License-Identifier: MIT
 *
 * check.h: what the C unit tests share: CHECK counts and says what failed; CHECK_REPORT is main's last line.
 */
#ifndef GENMARK_CHECK_H
#define GENMARK_CHECK_H

#include <stdio.h>

static int check_passed, check_failed;

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
