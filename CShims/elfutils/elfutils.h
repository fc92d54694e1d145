// SPDX-License-Identifier: MIT
//
// elfutils: the headers of libelf, libdw and libdwfl, for Swift. Nothing of ours is declared here.
// One function of libc's besides, which only programs that ask for GNU's extensions see.

#ifndef GENMARK_ELFUTILS_H
#define GENMARK_ELFUTILS_H

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <libelf.h>

// <sys/mman.h>: a file without a name, in memory. The only flag needed is MFD_CLOEXEC.
int memfd_create(const char *name, unsigned int flags);
enum { GM_MFD_CLOEXEC = 1 };

#endif
