/* SPDX-License-Identifier: MIT
 *
 * output.h: under which name a trace is made. That the file is new, and its mapping, is in trace.h.
 *
 * Nothing that exists is ever written to. When the name is taken:
 *     app.genmark       app.PID.genmark, app.PID.2.genmark, …        (so a child's trace is beside its parent's)
 *     app.PID.genmark   app.PID.2.genmark, …                         (a process that became another program)
 */
#ifndef GENMARK_OUTPUT_H
#define GENMARK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_PATH_SIZE = 4096 };

/* Makes the file at `path` (absolute); 0, or -errno, -EEXIST when it is there already. */
typedef int output_maker(const char *path, void *context);

/* Remembers the working directory, the program's name and, from `environment`, $TMPDIR: called once at the start of the
 * process, before the program can change them. Opens no descriptor. */
void output_start(char *const *environment);

/* The working directory at the start; "" when there was none. */
const char *output_directory(void);

/* The program's file name, made safe: letters, digits and . _ + - only. Known after output_start. */
const char *output_program(void);

/* Whether it is there to start other programs: a shell, env, time, nice and their like. In a `genmark run` what they start is what
 * was meant. */
bool output_is_launcher(void);

/* Makes a trace: calls `make` with one name after the other (from GENMARK_OUTPUT, `pattern`, or the default when that is
 * "") until it returns 0. Returns that, with the name in `path`; else the error of the last try, with its name in `path`.
 * One thread at a time; little stack, since the first allocation of a fork's child may be on that of a coroutine. */
int output_make(const char *pattern, output_maker *make, void *context, char path[OUTPUT_PATH_SIZE]);

/* `pattern` as an absolute one: what a child must be given that may have another working directory. False when it does not
 * fit or the working directory is not known. */
bool output_absolute(const char *pattern, char absolute[OUTPUT_PATH_SIZE]);

#endif
