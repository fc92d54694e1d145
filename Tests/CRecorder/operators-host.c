/* SPDX-License-Identifier: MIT
 *
 * operators-host.c: a C program that loads a C++ library privately, thrice. Usage: operators-host PLUGIN.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **arguments)
{
    int wrong = count != 2;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fprintf(stderr, "%s\n", dlerror()), 2;
    int (*run)(void) = (int (*)(void))dlsym(library, "plugin_run");
    wrong += run ? run() : 1;
    wrong += dlclose(library) != 0;
    return wrong + (dlerror() != NULL);
}
