/* SPDX-License-Identifier: MIT
 * A program whose growth is chosen on its command line: rounds N WORD…, each word what happens in a round:
 *   keep SIZE  spare SIZE  — a block that stays, by one of two functions · pass — one that goes
 * SUPPRESSIONS chooses how it brings suppressions along: 0 none, 1 a literal, 2 from a table, 3 made when asked for. */
#include <genmark.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if SUPPRESSIONS == 1
const char *__lsan_default_suppressions(void) { return "# kept by design\nleak:^keep$\nleak:no_such_function\n"; }
#elif SUPPRESSIONS == 2
static const char *const table[] = {"leak:^keep$\n", "leak:other\n"};
const char *__lsan_default_suppressions(void) { return table[0]; }
#elif SUPPRESSIONS == 3
const char *__lsan_default_suppressions(void)
{
    static char text[32];
    snprintf(text, sizeof text, "leak:%s\n", getenv("PATH") ? "keep" : "spare");
    return text;
}
#endif

void *kept[100000]; /* not static: what is never read would not be allocated */
static int count;

__attribute__((noinline)) void keep(size_t size) { kept[count++] = malloc(size); }
__attribute__((noinline)) void spare(size_t size) { kept[count++] = malloc(size); }

static void work(char **words)
{
    for (; *words; words++) {
        if (!strcmp(*words, "keep")) keep(strtoul(*++words, NULL, 10));
        else if (!strcmp(*words, "spare")) spare(strtoul(*++words, NULL, 10));
        else {
            void *volatile passing = malloc(100);
            free(passing);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    for (int round = atoi(argv[1]); round > 0; round--) {
        work(argv + 2);
        genmark_mark("round");
    }
    return 0;
}
