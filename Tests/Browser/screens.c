/* SPDX-License-Identifier: MIT
 * A program with something to see in each part of a report: two call sites that leak every cycle, a cache that fills, a last
 * result that is replaced, and a function whose name attacks HTML. Usage: screens CYCLES LABEL */
#include <genmark.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

static void *slots[4096];
static int used;
static void *last_result;

/* The compiler must not see that nobody looks at the blocks. */
static void keep(void *block) { slots[used++ & 4095] = block; }

/* report.py writes a name into the executable that no compiler takes. */
KEEP void hostile_name_of_37_characters_in_all_(void) { keep(malloc(300)); }
KEEP void keep_small(void) { keep(malloc(48)); }
KEEP void keep_large(void) { keep(malloc(4000)); }
KEEP void replace_last(void) {
    free(last_result);
    last_result = malloc(900);
}
KEEP void visit(int cycle) {
    keep_small();
    hostile_name_of_37_characters_in_all_();
    replace_last();
    if (cycle < 3) keep_large();
    for (int i = 0; i < 20; i++) free(malloc(64));
}

int main(int argc, char **argv) {
    int cycles = argc > 1 ? atoi(argv[1]) : 12;
    for (int cycle = 0; cycle < cycles; cycle++) {
        visit(cycle);
        genmark_mark(argc > 2 ? argv[2] : "pop");
    }
    printf("visited %d screens\n", cycles);
    return 0;
}
