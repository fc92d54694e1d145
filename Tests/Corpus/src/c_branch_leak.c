/* SPDX-License-Identifier: MIT */
/* A request is answered from the cache or from the disk, in turn; only the one way forgets its reply. */
#include "bench.h"

struct reply { int status; char body[180]; };

static struct reply *reply_new(int status)
{
    struct reply *r = calloc(1, sizeof *r);
    r->status = status;
    bench_use(r);
    return r;
}

static int serve(int request)
{
    struct reply *r;
    if (request % 2) {
        r = reply_new(200);
        if (r->body[0] == 0) return 200;        /* the way out that forgets */
    } else {
        r = reply_new(304);
    }
    int status = r->status;
    free(r);
    return status;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    for (int i = 1; i <= cycles; i++) {
        n += serve(i);
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
