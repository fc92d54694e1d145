/* SPDX-License-Identifier: MIT
 *
 * process.h: what becomes of the trace when the process ends or becomes another program, and which of the programs it
 * starts are recorded. The hooks are in process.c; our place in LD_PRELOAD in ../Recorder/preload.h.
 *
 * The program that was started under genmark is recorded, what it starts is not, with two exceptions: everything is
 * when GENMARK_FOLLOW=1, and a program that starts its own file again (workers, a restart) is recorded again. Under `genmark run`
 * (GENMARK_RUN) what it becomes by exec is recorded too, and all that a shell or a launcher starts, of which `genmark run`
 * keeps one.
 */
#ifndef GENMARK_PROCESS_H
#define GENMARK_PROCESS_H

/* Remembers which file this process runs. Before recorder_start. */
void process_start(void);

/* Registers what writes down the exit status. From the constructor only: registering takes a lock of libc's, which the
 * caller of an early allocation may hold. */
void process_at_load(void);

#endif
