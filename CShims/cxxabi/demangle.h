// SPDX-License-Identifier: MIT
//
// demangle: the demanglers that the language runtimes ship but declare in no C header. All of them answer with
// text from malloc, which the caller frees. None of them bounds its time or the length of its answer: see
// Demangler.swift, which does.

#ifndef GENMARK_DEMANGLE_H
#define GENMARK_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// C++, from libstdc++ (Itanium C++ ABI, section 3.4). `*status` is 0 when it worked.
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

// Swift, from libswiftCore, in the full form ("main.Parent.addChild(age: Swift.Int) -> ()").
char *swift_demangle(const char *mangled, size_t mangled_length, char *buffer, size_t *buffer_length, uint32_t flags);

// Swift, from libswiftCore, in the form of the runtime's own backtraces ("Parent.addChild(age:)"). Not a promise of the runtime,
// hence weak.
char *_swift_backtrace_demangle(const char *mangled, size_t mangled_length, char *buffer, size_t *buffer_length)
    __attribute__((weak));

static inline bool gm_has_swift_backtrace_demangle(void) { return _swift_backtrace_demangle != 0; }

#endif
