/* SPDX-License-Identifier: MIT */
/* One array that realloc() lengthens by 16 samples of 16 bytes every cycle: the number of blocks
 * stays at one, the bytes rise. */
#include "bench.h"

struct sample { double t, v; };
static struct sample *samples;
static size_t count;

static void samples_append(const struct sample *s, size_t n)
{
    struct sample *bigger = realloc(samples, (count + n) * sizeof *s);
    if (!bigger) abort();
    memcpy(bigger + count, s, n * sizeof *s);
    samples = bigger;
    count += n;
}

static double window_mean(void)
{
    size_t n = count < 64 ? count : 64;
    double *w = calloc(n, sizeof *w), sum = 0;
    for (size_t i = 0; i < n; i++) w[i] = samples[count - n + i].v;
    for (size_t i = 0; i < n; i++) sum += w[i];
    bench_use(w);
    free(w);
    return sum / (double)n;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    double m = 0;
    for (int i = 0; i < cycles; i++) {
        struct sample s[16];
        for (int k = 0; k < 16; k++) s[k] = (struct sample){ i + k / 16.0, k };
        samples_append(s, 16);
        m += window_mean();
        bench_mark("cycle");
    }
    bench_use(&m);
    return bench_done(cycles);
}
