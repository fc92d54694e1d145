/* SPDX-License-Identifier: MIT
 *
 * zstd_library.h: the compression library, for the Swift target GenmarkPack. Only its stable interface is used.
 */
#ifndef GENMARK_ZSTD_LIBRARY_H
#define GENMARK_ZSTD_LIBRARY_H

#include <zstd.h>

#endif
