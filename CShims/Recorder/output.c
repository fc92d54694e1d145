/* SPDX-License-Identifier: MIT
 *
 * output.c: see output.h. What is known of the process is copied at the start, since programs change their directory
 * and overwrite their environment.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "output.h"

#include "os.h"
#include "settings.h"
#include "text.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

enum {
    PROGRAM_SIZE = 101,        /* with the zero byte; file systems take 255 bytes for the whole name */
    NUMBER_LIMIT = 999         /* NAME.2 … NAME.999 */
};

static char directory[OUTPUT_PATH_SIZE];      /* working directory at the start; "" when there is none */
static char temporary[OUTPUT_PATH_SIZE];      /* $TMPDIR, when absolute */
static char program[PROGRAM_SIZE] = "program";

static bool safe_in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '+' || c == '-';
}

/* A file name of the program that no shell, terminal or directory listing can trip over. */
static void keep_program(const char *path)
{
    static const char gone[] = " (deleted)";      /* what the kernel adds to the link of a removed file */
    const char *base = text_base(path);
    size_t length = text_length(base);
    if (length > sizeof gone - 1 && text_equal(base + length - (sizeof gone - 1), gone))
        length -= sizeof gone - 1;
    struct text name = text_in(program, sizeof program);
    for (size_t i = 0; i < length; i++) {
        char c = safe_in_name(base[i]) ? base[i] : '_';
        if (i == 0 && (c == '.' || c == '-'))
            c = '_';
        text_add_bytes(&name, &c, 1);
    }
    if (name.length == 0)
        text_add(&name, "program");
}

void output_start(char *const *environment)
{
    long length = os_call(SYS_getcwd, (long)directory, sizeof directory, 0, 0, 0, 0);
    if (length <= 0 || directory[0] != '/')       /* "(unreachable)…" after a chroot */
        directory[0] = '\0';

    const char *named = settings_find(environment, "TMPDIR");
    struct text copy = text_in(temporary, sizeof temporary);
    if (named && named[0] == '/')
        text_add(&copy, named);
    if (copy.cut)
        temporary[0] = '\0';

    char path[OUTPUT_PATH_SIZE];
    if (os_read_link("/proc/self/exe", path, sizeof path) > 0) {
        keep_program(path);
    } else {
        const char *started = (const char *)getauxval(AT_EXECFN);
        if (started)
            keep_program(started);
    }
}

const char *output_directory(void) { return directory; }

const char *output_program(void) { return program; }

bool output_is_launcher(void)
{
    static const char *const launchers[] = {
        "sh", "dash", "bash", "ash", "ksh", "ksh93", "mksh", "lksh", "yash", "zsh", "zsh5", "fish", "busybox", "tcsh", "bsd-csh", "csh",
        "env", "nice", "nohup", "time", "timeout", "stdbuf", "setsid", "setarch", "taskset", "ionice", "chrt", "prlimit", "unshare",
        "setpriv", "runuser", "start-stop-daemon", "chroot", "numactl", "catchsegv"};
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
        if (text_equal(program, launchers[i]))
            return true;
    return false;
}

bool output_absolute(const char *pattern, char absolute[OUTPUT_PATH_SIZE])
{
    struct text text = text_in(absolute, OUTPUT_PATH_SIZE);
    if (pattern[0] != '/') {
        if (directory[0] == '\0')
            return false;
        for (const char *c = directory; *c != '\0'; c++) {
            text_add_bytes(&text, c, 1);
            if (*c == '%')
                text_add(&text, "%");
        }
        if (text.bytes[text.length - 1] != '/')
            text_add(&text, "/");
    }
    text_add(&text, pattern);
    return !text.cut;
}

/* 20261130-154500, UTC. Days to a date by the civil calendar: years are counted from March, so that the day that comes
 * and goes is the last one of the year. */
static void add_time(struct text *text, uint64_t realtime_ns)
{
    enum { DAYS_OF_ERA = 146097, DAYS_TO_1970 = 719468 };     /* 400 years; 0000-03-01 to 1970-01-01 */
    uint64_t seconds = realtime_ns / 1000000000u;
    uint64_t days = seconds / 86400 + DAYS_TO_1970;
    uint64_t era = days / DAYS_OF_ERA, day = days % DAYS_OF_ERA;
    uint64_t year = (day - day / 1460 + day / 36524 - day / (DAYS_OF_ERA - 1)) / 365;
    day -= 365 * year + year / 4 - year / 100;
    uint64_t month = (5 * day + 2) / 153;                     /* 0 is March */
    day -= (153 * month + 2) / 5;
    year += era * 400 + (month >= 10);
    month = month < 10 ? month + 3 : month - 9;
    text_add_padded(text, year, 4);
    text_add_padded(text, month, 2);
    text_add_padded(text, day + 1, 2);
    text_add(text, "-");
    text_add_padded(text, seconds / 3600 % 24, 2);
    text_add_padded(text, seconds / 60 % 60, 2);
    text_add_padded(text, seconds % 60, 2);
}

static void add_host(struct text *text)
{
    struct utsname host;
    if (os_call(SYS_uname, (long)&host, 0, 0, 0, 0, 0) != 0) {
        text_add(text, "host");
        return;
    }
    for (const char *c = host.nodename; *c != '\0'; c++)
        text_add_bytes(text, safe_in_name(*c) ? c : "_", 1);
}

/* True when the name has the pid in it. */
static bool expand(struct text *text, const char *pattern)
{
    bool has_pid = false;
    for (; *pattern != '\0'; pattern++) {
        if (pattern[0] != '%' || pattern[1] == '\0') {
            text_add_bytes(text, pattern, 1);
            continue;
        }
        switch (*++pattern) {
        case 'p':
            text_add_number(text, (uint64_t)os_pid());
            has_pid = true;
            break;
        case 'e': text_add(text, program); break;
        case 'h': add_host(text); break;
        case 't': add_time(text, os_realtime_ns()); break;
        case '%': text_add(text, "%"); break;
        default: text_add_bytes(text, pattern - 1, 2); break;      /* not ours: as it stands */
        }
    }
    return has_pid;
}

static bool is_directory(const char *path)
{
    struct os_file file;
    return os_stat(path, &file) == 0 && S_ISDIR(file.mode);
}

/* Puts `number` (0: none) and the pid before the ending of the file's name. */
static int make_beside(const char *path, bool with_pid, unsigned number, output_maker *make, void *context,
                       char result[OUTPUT_PATH_SIZE])
{
    size_t length = text_length(path), stem = length;
    size_t name = length - text_length(text_base(path));
    for (size_t i = length; i > name + 1; i--) {
        if (path[i - 1] == '.') {
            stem = i - 1;
            break;
        }
    }
    struct text text = text_in(result, OUTPUT_PATH_SIZE);
    text_add_bytes(&text, path, stem);
    if (with_pid) {
        text_add(&text, ".");
        text_add_number(&text, (uint64_t)os_pid());
    }
    if (number) {
        text_add(&text, ".");
        text_add_number(&text, number);
    }
    text_add(&text, path + stem);
    return text.cut ? -ENAMETOOLONG : make(result, context);
}

/* `path` and, while there is such a file, its next names. `path` is in `result`, and the name that was made is after it. */
static int make_new(const char *path, bool has_pid, output_maker *make, void *context, char result[OUTPUT_PATH_SIZE])
{
    /* The name that was asked for is for what the launcher starts. */
    bool leaves_name = settings.run != 0 && !has_pid && output_is_launcher();
    int error = leaves_name ? -EEXIST : make_beside(path, false, 0, make, context, result);
    if (error == -EEXIST && !has_pid)
        error = make_beside(path, true, 0, make, context, result);
    for (unsigned number = 2; error == -EEXIST && number <= NUMBER_LIMIT; number++)
        error = make_beside(path, !has_pid, number, make, context, result);
    return error;
}

/* PROGRAM.PID.genmark in a directory. */
static int make_in(const char *where, output_maker *make, void *context, char result[OUTPUT_PATH_SIZE])
{
    static char path[OUTPUT_PATH_SIZE];
    struct text text = text_in(path, sizeof path);
    text_add(&text, where);
    if (text.length == 0 || path[text.length - 1] != '/')
        text_add(&text, "/");
    text_add(&text, program);
    text_add(&text, ".");
    text_add_number(&text, (uint64_t)os_pid());
    text_add(&text, ".genmark");
    return text.cut ? -ENAMETOOLONG : make_new(path, true, make, context, result);
}

int output_make(const char *pattern, output_maker *make, void *context, char path[OUTPUT_PATH_SIZE])
{
    if (pattern[0] == '\0') {
        const char *const places[] = { directory, temporary, "/tmp" };
        int first_error = 0;
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            if (places[i][0] == '\0')
                continue;
            int error = make_in(places[i], make, context, path);
            if (error == 0)
                return 0;
            if (first_error == 0)
                first_error = error;
        }
        return first_error;
    }

    static char absolute[OUTPUT_PATH_SIZE], expanded[OUTPUT_PATH_SIZE];
    struct text text = text_in(expanded, sizeof expanded);
    if (!output_absolute(pattern, absolute)) {
        struct text as_given = text_in(path, OUTPUT_PATH_SIZE);
        text_add(&as_given, pattern);
        return directory[0] == '\0' ? -ENOENT : -ENAMETOOLONG;
    }
    bool has_pid = expand(&text, absolute);
    if (text.cut)
        return -ENAMETOOLONG;
    if (expanded[text.length - 1] == '/' || is_directory(expanded))
        return make_in(expanded, make, context, path);
    return make_new(expanded, has_pid, make, context, path);
}
