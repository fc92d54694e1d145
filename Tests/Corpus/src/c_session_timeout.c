/* SPDX-License-Identifier: MIT */
/* Sessions that live for one to five cycles. With "leaky" those with an odd number of cycles are never closed. */
#include "bench.h"

struct session { struct session *next; int ends; char user[40]; };
static struct session *sessions;

static void session_open(int i, int life, int forever)
{
    struct session *s = calloc(1, sizeof *s);
    s->ends = forever ? 1 << 30 : i + life;
    s->next = sessions;
    sessions = s;
}

static void sessions_expire(int i)
{
    for (struct session **at = &sessions; *at;) {
        struct session *s = *at;
        if (s->ends <= i) { *at = s->next; free(s); } else { at = &s->next; }
    }
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), leaky = argc > 2 && !strcmp(argv[2], "leaky");
    unsigned seed = 29;
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < 5; k++) session_open(i, 1 + (int)(bench_rand(&seed) % 5), leaky && k < 2);
        sessions_expire(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
