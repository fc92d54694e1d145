/* SPDX-License-Identifier: MIT
 *
 * early.c: the first allocation of a process comes from the constructor of a library, while libc holds a lock of its own.
 * Built twice: as the library (LIBRARY=1, 2: in newlocale; in setlocale), and as the program that takes the same locks later.
 */
#include <dlfcn.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
__attribute__((constructor)) static void at_load(void)
{
#if LIBRARY == 1
    locale_t made = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    if (made)
        freelocale(made);
#else
    setlocale(LC_ALL, "C.UTF-8");
#endif
}
void library_is_used(void);
void library_is_used(void) {}
#else
void library_is_used(void);
int main(void)
{
    library_is_used();
    printf("error pending: %s\n", dlerror() ? "yes" : "no");
    printf("%s\n", setlocale(LC_ALL, "C.UTF-8") ? "locale set" : "no such locale");
    locale_t made = newlocale(LC_CTYPE_MASK, "C", (locale_t)0);
    printf("%s\n", made && strlen(strerror_l(2, made)) > 0 ? "locale made" : "none");
    char *kept = malloc(100);
    printf("%s\n", setlocale(LC_ALL, "C"));
    return kept ? 0 : 1;
}
#endif
