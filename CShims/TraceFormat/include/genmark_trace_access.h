/* SPDX-License-Identifier: MIT
 *
 * genmark_trace_access.h: the only way in which words of a trace are touched that another thread or
 * process may change at the same time. The recorder, the marker and the Swift reader call the same
 * functions, so that each pair of a release and its acquire is written down once. Plain fields that are
 * written before a count is released need none of this.
 */
#ifndef GENMARK_TRACE_ACCESS_H
#define GENMARK_TRACE_ACCESS_H

#include <stdint.h>

/* Counts and offsets that publish records: the acquire sees all that was stored before the release. */
static inline uint64_t gm_load_acquire_u64(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline uint32_t gm_load_acquire_u32(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void gm_store_release_u64(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
static inline void gm_store_release_u32(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

/* Statistics and counters of which only the value matters. */
static inline uint64_t gm_load_u64(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline uint32_t gm_load_u32(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void gm_store_u64(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }
static inline void gm_store_u32(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }
static inline void gm_add_u64(uint64_t *word, uint64_t value) { __atomic_fetch_add(word, value, __ATOMIC_RELAXED); }
static inline void gm_add_u32(uint32_t *word, uint32_t value) { __atomic_fetch_add(word, value, __ATOMIC_RELAXED); }
static inline void gm_or_u32(uint32_t *word, uint32_t bits) { __atomic_fetch_or(word, bits, __ATOMIC_RELAXED); }
static inline void gm_clear_u32(uint32_t *word, uint32_t bits) { __atomic_fetch_and(word, ~bits, __ATOMIC_RELAXED); }

#endif
