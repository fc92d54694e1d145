/* SPDX-License-Identifier: MIT */
/* This program never marks: marks come from outside. With "step" as second argument it waits for a
 * line on standard input before each cycle and says "idle N" after it. */
#include "bench.h"

struct upload { int id; char name[44]; unsigned char *digest; };

static unsigned char *digest_make(int id)
{
    unsigned char *d = malloc(20);
    memset(d, id, 20);
    return d;
}

static void upload_run(int id)
{
    struct upload *u = malloc(sizeof *u);
    u->id = id;
    snprintf(u->name, sizeof u->name, "file%d", id);
    u->digest = digest_make(id);
    char *body = malloc(4000);
    memset(body, id, 4000);
    bench_use(body);
    free(body);
    free(u);                                /* the digest is forgotten */
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    int step = argc > 2 && !strcmp(argv[2], "step");
    char line[64];
    static char outbuf[4096];
    setvbuf(stdout, outbuf, _IOLBF, sizeof outbuf);
    if (step) { static char inbuf[4096]; setvbuf(stdin, inbuf, _IOFBF, sizeof inbuf); puts("idle 0"); }
    for (int i = 1; i <= cycles; i++) {
        if (step && !fgets(line, sizeof line, stdin)) break;
        for (int k = 0; k < 3; k++) upload_run(3 * i + k);
        if (step) printf("idle %d\n", i);
    }
    if (step && !fgets(line, sizeof line, stdin)) { /* the last line lets it end */ }
    return bench_done(cycles);
}
