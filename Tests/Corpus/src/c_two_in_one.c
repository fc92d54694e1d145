/* SPDX-License-Identifier: MIT */
/* One function forgets two things, a header and a body; what it allocates between them is given back. */
#include "bench.h"

static int message_decode(int i)
{
    char *header = malloc(48);
    char *scratch = malloc(1000);
    char *body = malloc(200);
    memset(scratch, i, 1000);
    memcpy(body, scratch, 200);
    memcpy(header, scratch, 48);
    bench_use(body);
    bench_use(header);
    free(scratch);
    return body[7] + header[9];
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    for (int i = 1; i <= cycles; i++) {
        n += message_decode(i);
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
