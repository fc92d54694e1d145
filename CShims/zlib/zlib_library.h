/* SPDX-License-Identifier: MIT
 *
 * zlib_library.h: the compression library of compressed debug sections, for the Swift target GenmarkSymbols. Only its
 * stable interface is used.
 */
#ifndef GENMARK_ZLIB_LIBRARY_H
#define GENMARK_ZLIB_LIBRARY_H

#include <zlib.h>

#endif
