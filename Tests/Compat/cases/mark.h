/* SPDX-License-Identifier: MIT */
/* Shared by all cases.  MARK(name) asks the tracker to start a new generation.
 * It looks the entry point up at run time, so the same binary runs without
 * any preload.  Adjust MARK_SYM if the tracker's entry point has another name
 * (assumed here: void genmark_mark(const char *name)). */
#ifndef CASE_MARK_H
#define CASE_MARK_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef MARK_SYM
#define MARK_SYM "genmark_mark"
#endif
#define SITE __attribute__((noinline))
#define KEEP(p) __asm__ volatile("" : : "r"(p) : "memory")
#define MARK(n) do { void *f_ = dlsym(RTLD_DEFAULT, MARK_SYM); \
    if (f_) ((void (*)(const char *))f_)(n); } while (0)
#define CHECK(c) do { if (!(c)) { dprintf(2, "CASE FAIL %s:%d: %s\n", \
    __FILE__, __LINE__, #c); _exit(9); } } while (0)
#endif
