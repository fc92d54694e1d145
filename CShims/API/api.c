/* SPDX-License-Identifier: MIT
 *
 * api.c: compiles genmark.h, as C, when nothing else does. There is no code in it: the functions are inline, what
 * they call is in ../Interpose/api.c.
 */
#include "genmark.h"
