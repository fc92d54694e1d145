/* SPDX-License-Identifier: MIT */
/* Text helpers of libc whose results the caller should free: strdup, asprintf, getline. */
#define _GNU_SOURCE
#include "bench.h"

static char *owner_name(int i)
{
    char b[32];
    snprintf(b, sizeof b, "owner-%04d", i);
    return strdup(b);                     /* 11 bytes, never freed */
}

static char *banner_format(int i)
{
    char *s = NULL;
    if (asprintf(&s, "build %04d, finished without a warning", i) < 0) abort();
    return s;                             /* never freed */
}

static int header_lines(void)
{
    static char text[] = "first\nsecond\nthird\n";
    FILE *f = fmemopen(text, sizeof text - 1, "r");
    char *line = NULL;
    size_t cap = 0;
    int n = 0;
    while (getline(&line, &cap, f) > 0) n++;
    fclose(f);
    return n;                             /* the line buffer is never freed */
}

static int word_count(const char *s)
{
    char *copy = strdup(s), *save = NULL;
    int n = 0;
    for (char *t = strtok_r(copy, " ", &save); t; t = strtok_r(NULL, " ", &save)) n++;
    free(copy);
    return n;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    for (int i = 0; i < cycles; i++) {
        bench_use(owner_name(i));
        bench_use(banner_format(i));
        n += header_lines() + word_count("a few short words");
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
