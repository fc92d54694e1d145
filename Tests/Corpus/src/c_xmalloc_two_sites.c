/* SPDX-License-Identifier: MIT */
/* Every allocation goes through xmalloc(); of its callers only session_open() leaks. */
#include "bench.h"

static size_t total;

static void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p) { fputs("out of memory\n", stderr); abort(); }
    total += n;
    return p;
}

struct session { char user[40]; char *cookie; };
struct request { char line[200]; };

static struct session *session_open(int i)
{
    struct session *s = xmalloc(sizeof *s);
    snprintf(s->user, sizeof s->user, "user%d", i);
    s->cookie = xmalloc(72);
    snprintf(s->cookie, 72, "id=%d", i);
    return s;
}

static void session_close(struct session *s) { free(s); /* the cookie is forgotten */ }

static struct request *request_new(int i)
{
    struct request *r = xmalloc(sizeof *r);
    snprintf(r->line, sizeof r->line, "GET /%d", i);
    return r;
}

static char *keepalive;

static void keepalive_refresh(int i)
{
    free(keepalive);
    keepalive = xmalloc(64);
    snprintf(keepalive, 64, "timeout=%d", i);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 0; i < cycles; i++) {
        struct session *s = session_open(i);
        for (int k = 0; k < 10; k++) { struct request *r = request_new(k); bench_use(r); free(r); }
        keepalive_refresh(i);
        session_close(s);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
