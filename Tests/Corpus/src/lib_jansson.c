/* SPDX-License-Identifier: MIT */
/* jansson: json_object_set() takes its own reference, so a value made only to be set needs a decref
 * that is missing here. FIXED: json_object_set_new(). */
#include "bench.h"
#include <jansson.h>

static json_t *stamp_make(int i) { json_t *s = json_sprintf("2024-06-07T%02d:%02d", i / 60 % 24, i % 60); bench_use(s); return s; }

static json_t *reply_build(int i)
{
    json_t *o = json_object();
#ifdef FIXED
    json_object_set_new(o, "stamp", stamp_make(i));
#else
    json_object_set(o, "stamp", stamp_make(i));
#endif
    json_object_set_new(o, "ok", json_true());
    return o;
}

static int reply_send(json_t *o)
{
    char *s = json_dumps(o, JSON_COMPACT);
    int n = (int)strlen(s);
    free(s);
    return n;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    for (int i = 0; i < cycles; i++) {
        json_t *o = reply_build(i);
        n += reply_send(o);
        json_decref(o);
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
