// SPDX-License-Identifier: MIT
//
// elfutils: the headers of libelf, libdw and libdwfl, for Swift. Nothing of ours is declared here.

#ifndef GENMARK_ELFUTILS_H
#define GENMARK_ELFUTILS_H

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <libelf.h>

#endif
