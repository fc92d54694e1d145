/* SPDX-License-Identifier: MIT */
/* Strings that are kept once each. With "bounded" all are names of 40 fields; else three of each cycle bear its number. */
#include "bench.h"

struct symbol { struct symbol *next; char text[]; };
static struct symbol *table[64];

static const char *intern(const char *text)
{
    unsigned hash = 5381;
    for (const char *c = text; *c; c++) hash = hash * 33 + (unsigned char)*c;
    for (struct symbol *s = table[hash % 64]; s; s = s->next)
        if (!strcmp(s->text, text)) return s->text;
    struct symbol *s = malloc(sizeof *s + 24);
    snprintf(s->text, 24, "%s", text);
    s->next = table[hash % 64];
    table[hash % 64] = s;
    return s->text;
}

static void read_record(int i, int bounded, unsigned *seed)
{
    char name[24];
    for (int k = 0; k < 10; k++) {
        if (k < 3 && !bounded) snprintf(name, sizeof name, "request-%d-%d", i, k);
        else snprintf(name, sizeof name, "field-%u", bench_rand(seed) % 40);
        bench_use(intern(name));
    }
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), bounded = argc > 2 && !strcmp(argv[2], "bounded");
    unsigned seed = 11;
    for (int i = 0; i < 200; i++) read_record(0, 1, &seed);
    for (int i = 1; i <= cycles; i++) {
        read_record(i, bounded, &seed);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
