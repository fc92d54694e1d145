// SPDX-License-Identifier: MIT
// marks: a program that marks very often. It keeps one block at each of CELLS call sites, then goes through MARKS cycles that
// each leave one block behind, and says what a mark took.  usage: marks MARKS [CELLS=0] [touched=0]
// With touched, every cycle frees and allocates anew what so many of the CELLS call sites keep.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern void genmark_mark(const char *label) __attribute__((weak));

static void **kept;
static void *leaked;

// Each bit of `path` is a call from one of two places, so every path is a call site of its own.
static __attribute__((noinline)) void *at(unsigned path, int bits)
{
    void *block;
    if (bits == 0) {
        block = malloc(24);
    } else if (path & 1) {
        block = at(path >> 1, bits - 1);
        __asm__ volatile("# one" : : "r"(block) : "memory");       // or both would become one call
    } else {
        block = at(path >> 1, bits - 1);
        __asm__ volatile("# the other" : : "r"(block) : "memory");
    }
    return block;
}

static __attribute__((noinline)) void leave_behind(void)
{
    void **block = malloc(48);
    *block = leaked;
    leaked = block;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

int main(int count, char **words)
{
    long marks = count > 1 ? atol(words[1]) : 1000, cells = count > 2 ? atol(words[2]) : 0;
    long touched = count > 3 ? atol(words[3]) : 0;
    int bits = 0;
    while (1l << bits < cells)
        bits++;
    kept = calloc((size_t)cells + 1, sizeof *kept);
    uint32_t *took = calloc((size_t)marks + 1, sizeof *took);
    for (long i = 0; i < cells; i++)
        kept[i] = at((unsigned)i, bits);
    for (long mark = 0; mark < marks; mark++) {
        for (long i = 0; i < touched && i < cells; i++) {
            free(kept[i]);
            kept[i] = at((unsigned)i, bits);
        }
        leave_behind();
        free(malloc(100));
        uint64_t began = now();
        if (genmark_mark)
            genmark_mark("cycle");
        uint64_t passed = now() - began;
        took[mark] = passed < UINT32_MAX ? (uint32_t)passed : UINT32_MAX;
    }
    qsort(took, (size_t)marks, sizeof *took, by_value);
    if (marks > 0)
        printf("median %u ns, 99 %% under %u ns, longest %u ns\n", took[marks / 2], took[marks - 1 - marks / 100], took[marks - 1]);
    return 0;
}
