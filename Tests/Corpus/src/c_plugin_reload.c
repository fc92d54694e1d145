/* SPDX-License-Identifier: MIT */
/* A codec plugin is loaded, used and unloaded in every cycle; the plugin leaks its own context. */
#include "bench.h"
#include <dlfcn.h>
#include <unistd.h>

static char plugin_path[4096];

static void find_plugin(void)
{
    ssize_t n = readlink("/proc/self/exe", plugin_path, sizeof plugin_path - 32);
    if (n < 0) abort();
    plugin_path[n] = 0;
    strcpy(strrchr(plugin_path, '/') + 1, "plugin_codec.so");
}

static int codec_run(int i)
{
    void *h = dlopen(plugin_path, RTLD_NOW | RTLD_LOCAL);
    if (!h) { fprintf(stderr, "%s\n", dlerror()); exit(1); }
    int (*start)(int) = (int (*)(int))dlsym(h, "codec_start");
    int (*encode)(const char *) = (int (*)(const char *))dlsym(h, "codec_encode");
    void (*stop)(void) = (void (*)(void))dlsym(h, "codec_stop");
    start(i);
    int n = encode("some text to encode");
    stop();
    dlclose(h);
    return n;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    find_plugin();
    for (int i = 0; i < cycles; i++) {
        n += codec_run(i);
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
