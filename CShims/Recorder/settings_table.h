/* SPDX-License-Identifier: MIT
 *
 * settings_table.h: every setting, once: the table that settings.c is made of. README's table and the help of
 * `genmark run` are tested against it. How a value is read is in settings.c.
 *
 * SETTING(field, name, kind, default, least, most, meaning)
 *   kind      TEXT    any text
 *             FLAG    1 yes true on, 0 no false off
 *             COUNT   a whole number
 *             SIZE    bytes: a whole number and B, KiB, MiB, GiB, TiB (K, M, G, T mean the same) or kB, MB, GB, TB
 *             SIGNAL  USR1, SIGUSR1, RTMIN+3 or a number
 *   least and most hold for COUNT and SIZE. A value that cannot be read is reported and the default is used.
 * The lines have one shape, so that a test can read them without a C compiler.
 */
SETTING(output, "GENMARK_OUTPUT", TEXT, "", 0, 0, "File to record to; %p pid, %e program, %h host, %t time (UTC), %% a percent sign. Default: PROGRAM.PID.genmark in the working directory, else in $TMPDIR, else in /tmp")
SETTING(follow, "GENMARK_FOLLOW", FLAG, 0, 0, 1, "Record every process that the program starts, each in a trace of its own; otherwise only the program itself")
SETTING(quiet, "GENMARK_QUIET", FLAG, 0, 0, 1, "Never write to standard error")
SETTING(mark_signal, "GENMARK_MARK_SIGNAL", SIGNAL, 0, 0, 0, "Signal that takes a mark; default: none")
SETTING(max_memory, "GENMARK_MAX_MEMORY", SIZE, 1073741824, 1048576, 1099511627776, "Most that a trace may grow to; what does not fit is counted as a loss")
SETTING(max_depth, "GENMARK_MAX_DEPTH", COUNT, 1024, 1, 1024, "Most frames kept of a call stack, innermost first")
SETTING(verify, "GENMARK_VERIFY", FLAG, 0, 0, 1, "Compare every call stack with a full walk by libunwind and count differences (slow)")
SETTING(run, "GENMARK_RUN", COUNT, 0, 0, 4294967295, "Set by `genmark run` to its pid: what the recorded program turns into (exec) is recorded too, and of shells and launchers what they start")
