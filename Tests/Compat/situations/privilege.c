// SPDX-License-Identifier: MIT
// privilege: prints whether it has more rights than who called it, allocates, and says whether it is recorded.
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

extern void genmark_mark(const char *label) __attribute__((weak));

__attribute__((noinline)) static void *keep(void) { void *volatile block = malloc(77); return block; }

int main(void)
{
    for (int i = 0; i < 10; i++)
        if (!keep())
            return 3;
    printf("%s %d\n", getauxval(AT_SECURE) ? "secure" : "plain", (int)geteuid());
    return 0;
}
