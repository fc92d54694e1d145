// SPDX-License-Identifier: MIT
// big: much of something. Words:
//   virtual           10 GiB of heap in blocks of 64 MiB that are hardly touched, and single blocks of 4, 5 and 6 GiB
//   blocks N          N live blocks of 16 bytes, and all freed again; prints how many
//   sites N           N distinct call stacks, four kinds of frame and 12 deep, each with one block
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void genmark_mark(const char *label) __attribute__((weak));

static void mark(const char *label)
{
    if (genmark_mark)
        genmark_mark(label);
}

__attribute__((noinline)) static void *reserve(size_t size) { void *volatile block = malloc(size); return block; }
__attribute__((noinline)) static void *keep_small(void) { void *volatile block = malloc(16); return block; }

static int virtual(void)
{
    int there = 0;
    mark("start");
    for (int i = 0; i < 160; i++) {
        char *block = reserve((size_t)64 << 20);
        if (block)
            block[12345] = 1, there++;
    }
    for (size_t gib = 4; gib <= 6; gib++) {
        char *block = reserve(gib << 30);
        there += block != NULL;
        block = realloc(block, (gib << 30) + 4096);
        if (gib == 5)
            free(block);
    }
    mark("end");
    printf("%d there\n", there);
    return 0;
}

static int blocks(long count)
{
    void **last = NULL;
    for (long i = 0; i < count; i++) {
        void **block = keep_small();
        if (!block)
            break;
        *block = last;
        last = block;
    }
    mark("all there");
    long freed = 0;
    while (last) {
        void **next = *last;
        free(last);
        last = next;
        freed++;
    }
    mark("all gone");
    printf("%ld freed\n", freed);
    return 0;
}

/* Digits of `number` to the base 4 choose the way. */
static void *walk(unsigned long number, int depth);
#define WAY(n) __attribute__((noinline)) static void *way##n(unsigned long number, int depth) \
    { void *volatile block = walk(number, depth); return block; }
WAY(0) WAY(1) WAY(2) WAY(3)

__attribute__((noinline)) static void *walk(unsigned long number, int depth)
{
    static void *(*const ways[])(unsigned long, int) = {way0, way1, way2, way3};
    void *volatile block = depth == 0 ? malloc(24) : ways[number & 3](number >> 2, depth - 1);
    return block;
}

static int sites(unsigned long count)
{
    long there = 0;
    for (unsigned long i = 0; i < count; i++)
        there += walk(i, 12) != NULL;
    mark("all there");
    printf("%ld there\n", there);
    return 0;
}

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "";
    if (!strcmp(what, "virtual"))
        return virtual();
    if (!strcmp(what, "blocks") && count > 2)
        return blocks(atol(words[2]));
    if (!strcmp(what, "sites") && count > 2)
        return sites(strtoul(words[2], NULL, 10));
    return 3;
}
