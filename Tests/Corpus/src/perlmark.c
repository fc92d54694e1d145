/* SPDX-License-Identifier: MIT */
/* A loadable Perl function: genmark_mark(label), if such a function is preloaded. */
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

extern void genmark_mark(const char *label) __attribute__((weak));

XS(perl_genmark_mark)
{
    dXSARGS;
    if (items != 1) croak("usage: genmark_mark(label)");
    if (genmark_mark) genmark_mark(SvPV_nolen(ST(0)));
    XSRETURN_EMPTY;
}
