/* SPDX-License-Identifier: MIT */
/* A dispatcher calls one of twelve handlers, as it comes; each makes an event, and nobody frees it. */
#include "bench.h"

static void event_make(int code)
{
    int *event = malloc(56);
    event[0] = code;
    bench_use(event);
}

#define HANDLER(n) static __attribute__((noinline)) void on_##n(int i) { event_make(i + n); bench_use(&i); }
HANDLER(0) HANDLER(1) HANDLER(2) HANDLER(3) HANDLER(4) HANDLER(5)
HANDLER(6) HANDLER(7) HANDLER(8) HANDLER(9) HANDLER(10) HANDLER(11)
static void (*const handlers[])(int) = {on_0, on_1, on_2, on_3, on_4, on_5, on_6, on_7, on_8, on_9, on_10, on_11};

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    unsigned seed = 61;
    for (int i = 1; i <= cycles; i++) {
        handlers[bench_rand(&seed) % 12](i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
