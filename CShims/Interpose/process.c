/* SPDX-License-Identifier: MIT
 *
 * process.c: hooks on the ends of a process and on what it starts; see process.h. fork needs none: its child is seen
 * by the page that the kernel wipes (../Recorder/recorder.h).
 *
 * dlopen's is in deepbind.c. Loaded objects are found when a stack first leads into them.
 *
 * A child of vfork runs these in its parent's memory: they change nothing but their own stack there.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "process.h"

#include "deepbind.h"
#include "real.h"

#include "compiler.h"
#include "os.h"
#include "output.h"
#include "preload.h"
#include "recorder.h"
#include "settings.h"
#include "text.h"

#include "genmark_trace.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096,
    ROOM_LIMIT = 1 << 20       /* most stack taken for an environment: the kernel's own limit for all of it is 2 MiB */
};

/* The file that this process runs; 0 when not known. */
static uint64_t own_device, own_inode;

void process_start(void)
{
    struct os_file file;
    const char *started = (const char *)getauxval(AT_EXECFN);
    if (os_stat("/proc/self/exe", &file) != 0 && (!started || os_stat(started, &file) != 0))
        return;
    own_device = file.device;
    own_inode = file.inode;
}

/* A program that has given up system calls may not look at files, nor may we in its name. */
static bool can_look(void) { return own_inode != 0 && !recorder_is_confined(); }

static bool is_own(uint64_t device, uint64_t inode) { return device == own_device && inode == own_inode; }

static bool is_own_path(const char *path)
{
    struct os_file file;
    return can_look() && path && os_stat(path, &file) == 0 && is_own(file.device, file.inode);
}

/* The file that execvpe and posix_spawnp would find. */
static bool is_own_name(const char *name)
{
    char path[PATH_SIZE];
    if (!can_look() || !name)
        return false;
    if (text_base(name) != name)
        return is_own_path(name);
    const char *places = settings_find(environ, "PATH");
    if (!places)
        places = "/bin:/usr/bin";
    for (;;) {
        const char *end = places;
        while (*end != '\0' && *end != ':')
            end++;
        struct text text = text_in(path, sizeof path);
        text_add_bytes(&text, places, (size_t)(end - places));
        if (end > places)
            text_add(&text, "/");
        text_add(&text, name);
        if (!text.cut && os_call(SYS_faccessat, AT_FDCWD, (long)path, X_OK, 0, 0, 0) == 0)
            return is_own_path(path);
        if (*end == '\0')
            return false;
        places = end + 1;
    }
}

/* Of an open descriptor, or of a path below one. */
static bool is_own_at(int descriptor, const char *path, int flags)
{
    struct os_file file;
    return can_look() && os_stat_at(descriptor, path, flags, &file) == 0 && is_own(file.device, file.inode);
}

/* Whether a program is recorded that is started from another file than ours. `replaces`: it takes this process's place. */
static bool follows(bool replaces)
{
    if (recorder_is_confined())
        return false;
    return settings.follow || (settings.run != 0 && (output_is_launcher() || (replaces && recorder_owns_process())));
}

/* The environment for a program that is to be recorded, on the stack of the hook that expands this: exec does not
 * return, and in a vfork child nothing else may be used. */
#define RECORDED_ENVIRONMENT(given, recorded) \
    __extension__ ({ \
        char *const *result_ = (given); \
        size_t room_ = (recorded) ? preload_room(result_) : 0; \
        if (room_ > 0 && room_ <= ROOM_LIMIT) \
            result_ = preload_environment(result_, alloca(room_)); \
        result_; \
    })

/* Brackets an exec: the trace says that the program became another one, unless it did not. */
static bool begin_replacing(void)
{
    if (!recorder_is_active() || !recorder_owns_process())
        return false;
    recorder_ended(GM_END_EXEC, 0);
    return true;
}

static int end_replacing(bool begun, int result)
{
    int error = errno;
    if (begun)
        recorder_resumed();
    errno = error;
    return result;
}

static int not_there(void)
{
    errno = ENOSYS;
    return -1;
}

static int replace_by_path(const char *path, char *const *arguments, char *const *environment)
{
    environment = RECORDED_ENVIRONMENT(environment, follows(true) || is_own_path(path));
    bool begun = begin_replacing();
    return end_replacing(begun, REAL(execve)(path, arguments, environment));
}

static int replace_by_name(const char *name, char *const *arguments, char *const *environment)
{
    environment = RECORDED_ENVIRONMENT(environment, follows(true) || is_own_name(name));
    bool begun = begin_replacing();
    return end_replacing(begun, REAL(execvpe)(name, arguments, environment));
}

GM_EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
    return replace_by_path(path, arguments, environment);
}

GM_EXPORT int execv(const char *path, char *const arguments[]) { return replace_by_path(path, arguments, environ); }

GM_EXPORT int execvp(const char *name, char *const arguments[]) { return replace_by_name(name, arguments, environ); }

GM_EXPORT int execvpe(const char *name, char *const arguments[], char *const environment[])
{
    return replace_by_name(name, arguments, environment);
}

/* The arguments of execl and its kind as an array on the stack, and what comes after their NULL. */
#define LISTED_ARGUMENTS(array, first, rest) \
    do { \
        size_t count_ = 1; \
        va_start(rest, first); \
        while (va_arg(rest, const char *)) \
            count_++; \
        va_end(rest); \
        array = alloca((count_ + 1) * sizeof(char *)); \
        va_start(rest, first); \
        array[0] = (char *)(uintptr_t)first; \
        for (size_t i_ = 1; i_ <= count_; i_++) \
            array[i_] = va_arg(rest, char *); \
    } while (0)

GM_EXPORT int execl(const char *path, const char *first, ...)
{
    char **arguments;
    va_list rest;
    LISTED_ARGUMENTS(arguments, first, rest);
    va_end(rest);
    return replace_by_path(path, arguments, environ);
}

GM_EXPORT int execlp(const char *name, const char *first, ...)
{
    char **arguments;
    va_list rest;
    LISTED_ARGUMENTS(arguments, first, rest);
    va_end(rest);
    return replace_by_name(name, arguments, environ);
}

GM_EXPORT int execle(const char *path, const char *first, ...)
{
    char **arguments;
    va_list rest;
    LISTED_ARGUMENTS(arguments, first, rest);
    char *const *environment = va_arg(rest, char *const *);
    va_end(rest);
    return replace_by_path(path, arguments, environment);
}

GM_EXPORT int fexecve(int descriptor, char *const arguments[], char *const environment[])
{
    if (!REAL(fexecve))
        return not_there();
    char *const *used = RECORDED_ENVIRONMENT(environment, follows(true) || is_own_at(descriptor, "", AT_EMPTY_PATH));
    bool begun = begin_replacing();
    return end_replacing(begun, real.fexecve(descriptor, arguments, used));
}

/* Not in the headers of glibc before 2.34 and of musl. */
GM_EXPORT int execveat(int descriptor, const char *path, char *const arguments[], char *const environment[], int flags);

GM_EXPORT int execveat(int descriptor, const char *path, char *const arguments[], char *const environment[], int flags)
{
    if (!REAL(execveat))
        return not_there();
    char *const *used = RECORDED_ENVIRONMENT(environment, follows(true) || is_own_at(descriptor, path, flags));
    bool begun = begin_replacing();
    return end_replacing(begun, real.execveat(descriptor, path, arguments, used, flags));
}

GM_EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
    char *const *used = RECORDED_ENVIRONMENT(environment, follows(false) || is_own_path(path));
    return REAL(posix_spawn)(pid, path, actions, attributes, arguments, used);
}

GM_EXPORT int posix_spawnp(pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
    char *const *used = RECORDED_ENVIRONMENT(environment, follows(false) || is_own_name(name));
    return REAL(posix_spawnp)(pid, name, actions, attributes, arguments, used);
}

/* Ends. exit and the return of main end in the handler, which is registered before all others and so runs last, after
 * destructors too; signals end nothing here: the trace is whole at any moment, and its pid is gone. */

static int quick_status;

static void ended_with(int status) { recorder_ended(GM_END_EXIT, status & 0xff); }

static void at_quick_exit_with(void) { ended_with(quick_status); }

#ifdef __GLIBC__
static void at_exit_with(int status, void *unused)
{
    (void)unused;
    ended_with(status);
}

void process_at_load(void)
{
    on_exit(at_exit_with, NULL);
    at_quick_exit(at_quick_exit_with);
}
#else
/* musl has no on_exit, and atexit's handlers do not learn the status: such a trace says nothing of its end. */
void process_at_load(void) { at_quick_exit(at_quick_exit_with); }
#endif

GM_EXPORT void _exit(int status)
{
    ended_with(status);
    REAL(_exit)(status);
    __builtin_unreachable();
}

GM_EXPORT void _Exit(int status)
{
    ended_with(status);
    REAL(_exit)(status);
    __builtin_unreachable();
}

GM_EXPORT void quick_exit(int status)
{
    quick_status = status;
    REAL(quick_exit)(status);
    __builtin_unreachable();
}

/* libc forks in here and leaves the parent by an exit of its own, which no hook sees. */
GM_EXPORT int daemon(int stay, int keep_open)
{
    bool begun = recorder_is_active() && recorder_owns_process();
    if (begun)
        recorder_ended(GM_END_EXIT, 0);
    int result = REAL(daemon)(stay, keep_open);
    return end_replacing(begun && recorder_owns_process(), result);
}

GM_EXPORT int dlclose(void *library)
{
    deepbind_see_to_pending();
    bool told = recorder_library_closing();
    int result = REAL(dlclose)(library), error = errno;
    recorder_library_closed(told);
    errno = error;
    return result;
}
