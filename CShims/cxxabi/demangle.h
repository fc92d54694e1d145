// SPDX-License-Identifier: MIT
//
// demangle: the demanglers of libiberty (C++, Rust) and of the Swift runtime, made safe for hostile names. None of them
// bounds the length of its answer, and a name of 118 bytes may stand for one of 139,000 characters or for one that
// does not fit into memory. What names look like for people is in Sources/GenmarkSymbols.
//
// All text goes into a buffer of the caller's, cut at its end and always terminated. The functions answer the length
// of the text, 0 when the name is not of their language. Names may be of any bytes but must end with a zero byte.

#ifndef GENMARK_DEMANGLE_H
#define GENMARK_DEMANGLE_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// libiberty. Declared here because its own header collides with other headers of that name. They hand over text piece
// by piece, hold no memory of their own while they do (C++) or a few bytes (Rust), and answer 1 when they could.
int cplus_demangle_v3_callback(const char *mangled, int options, void (*piece)(const char *, size_t, void *),
                               void *context);
int rust_demangle_callback(const char *mangled, int options, void (*piece)(const char *, size_t, void *),
                           void *context);

// libswiftCore: the form that the runtime's own backtraces use ("Parent.addChild(age:)"), and the full form
// ("family.Parent.addChild(age: Swift.Int) -> ()"). The first is no promise of the runtime, hence weak.
char *_swift_backtrace_demangle(const char *mangled, size_t mangled_length, char *buffer, size_t *buffer_length)
    __attribute__((weak));
char *swift_demangle(const char *mangled, size_t mangled_length, char *buffer, size_t *buffer_length, uint32_t flags);

enum {
    // As in <libiberty/demangle.h>: parameters and qualifiers; without the type that a template's function answers.
    GM_DEMANGLE_OPTIONS = 1 | 2,
    GM_DEMANGLE_NO_ANSWER = 1 << 6,
    // The recursion limit of libiberty would refuse every name of more than 1,024 bytes; callers limit the length.
    GM_DEMANGLE_ANY_LENGTH = 1 << 18,
    // Processor time of a child. An answer of the longest readable length takes less than one.
    GM_DEMANGLE_CHILD_MICROSECONDS = 200000
};

struct gm_demangle_sink {
    char *buffer;
    size_t capacity;
    size_t length;
    jmp_buf full;
};

static inline void gm_demangle_take(const char *text, size_t length, void *context) {
    struct gm_demangle_sink *sink = (struct gm_demangle_sink *)context;
    size_t room = sink->capacity - 1 - sink->length;
    size_t taken = length < room ? length : room;
    memcpy(sink->buffer + sink->length, text, taken);
    sink->length += taken;
    if (taken < length) {
        // Leaves the demangler in the middle: there is no other way to stop it.
        longjmp(sink->full, 1);
    }
}

typedef void gm_demangle_piece(const char *text, size_t length, void *context);
typedef int gm_demangle_with_callback(const char *mangled, int options, gm_demangle_piece *piece, void *context);

// Apart from the function that owns the sink: what a function's own variables hold after a longjmp into it is not
// defined.
static inline int gm_demangle_into(struct gm_demangle_sink *sink, gm_demangle_with_callback *demangle,
                                   const char *mangled, int options) {
    return setjmp(sink->full) != 0 || demangle(mangled, options, gm_demangle_take, sink) != 0;
}

static inline size_t gm_demangle_bounded(gm_demangle_with_callback *demangle, const char *mangled, int options,
                                         char *buffer, size_t capacity) {
    struct gm_demangle_sink sink;
    sink.buffer = buffer;
    sink.capacity = capacity;
    sink.length = 0;
    size_t length = gm_demangle_into(&sink, demangle, mangled, options) ? sink.length : 0;
    buffer[length] = 0;
    return length;
}

static inline size_t gm_demangle_cxx(const char *mangled, bool full, char *buffer, size_t capacity) {
    int options = GM_DEMANGLE_OPTIONS | GM_DEMANGLE_ANY_LENGTH | (full ? 0 : GM_DEMANGLE_NO_ANSWER);
    return gm_demangle_bounded(cplus_demangle_v3_callback, mangled, options, buffer, capacity);
}

static inline size_t gm_demangle_rust(const char *mangled, char *buffer, size_t capacity) {
    return gm_demangle_bounded(rust_demangle_callback, mangled, GM_DEMANGLE_OPTIONS, buffer, capacity);
}

// `full`: with modules and types. Without a bound: for names whose answer is known to be small.
static inline size_t gm_demangle_swift(const char *mangled, bool full, char *buffer, size_t capacity) {
    size_t length = strlen(mangled);
    char *text = NULL;
    if (!full && _swift_backtrace_demangle != NULL) {
        text = _swift_backtrace_demangle(mangled, length, NULL, NULL);
    } else {
        text = swift_demangle(mangled, length, NULL, NULL, 0);
    }
    size_t taken = 0;
    if (text != NULL) {
        taken = strlen(text);
        if (taken > capacity - 1) {
            taken = capacity - 1;
        }
        memcpy(buffer, text, taken);
        free(text);
    }
    buffer[taken] = 0;
    return taken;
}

// The same in a child process with a limit of time, for names whose answer may be of any size. About a millisecond.
// 0 also when the child came to its limit. `*microseconds` is the processor time it took.
static inline size_t gm_demangle_swift_guarded(const char *mangled, bool full, char *buffer, size_t capacity,
                                               uint64_t *microseconds) {
    buffer[0] = 0;
    *microseconds = 0;
    int ends[2];
    if (pipe(ends) != 0) {
        return 0;
    }
    // A program that another thread starts meanwhile must not hold the pipe open.
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        // The limit of time is one of memory too: what is written in it fits.
        struct itimerval limit = {{0, 0}, {0, GM_DEMANGLE_CHILD_MICROSECONDS}};
        struct rlimit none = {0, 0};
        signal(SIGPROF, SIG_DFL);
        setrlimit(RLIMIT_CORE, &none);
        setitimer(ITIMER_PROF, &limit, NULL);
        // The runtime says something when it runs out of memory: nobody is to read that.
        close(STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        signal(SIGSEGV, SIG_DFL);
        signal(SIGPIPE, SIG_DFL);
        size_t length = gm_demangle_swift(mangled, full, buffer, capacity);
        size_t written = 0;
        while (written < length) {
            ssize_t n = write(ends[1], buffer + written, length - written);
            if (n <= 0) {
                break;
            }
            written += (size_t)n;
        }
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    while (child > 0 && length < capacity - 1) {
        ssize_t n = read(ends[0], buffer + length, capacity - 1 - length);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            break;
        }
        length += (size_t)n;
    }
    close(ends[0]);
    struct rusage used = {0};
    while (child > 0 && wait4(child, NULL, 0, &used) < 0 && errno == EINTR) {
    }
    *microseconds = (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
                    (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    buffer[length] = 0;
    return length;
}

#endif
