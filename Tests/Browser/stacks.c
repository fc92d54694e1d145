/* SPDX-License-Identifier: MIT
 * A program with 131,072 call sites: every way of going left or right 17 times. Three marks. */
#include <genmark.h>
#include <stdlib.h>

enum { DEPTH = 17 };
#define TURN __attribute__((noinline))

static void *volatile blocks[3 << DEPTH];
static long count;

static void walk(unsigned way, int depth);
TURN void left(unsigned way, int depth) { walk(way, depth); }
TURN void right(unsigned way, int depth) { walk(way, depth); }
TURN void walk(unsigned way, int depth) {
    if (depth == DEPTH) {
        blocks[count] = malloc(16 + way % 512);
        count++;
    } else if (way >> depth & 1) {
        left(way, depth + 1);
    } else {
        right(way, depth + 1);
    }
}

int main(void) {
    for (int cycle = 0; cycle < 3; cycle++) {
        for (unsigned way = 0; way < 1u << DEPTH; way++) walk(way, 0);
        genmark_mark("cycle");
    }
    return 0;
}
