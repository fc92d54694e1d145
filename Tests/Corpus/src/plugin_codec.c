/* SPDX-License-Identifier: MIT */
/* The plugin of c_plugin_reload. */
#include <stdlib.h>
#include <string.h>

struct context { int level; unsigned char table[508]; };
static struct context *context;
static char *window;

int codec_start(int level)
{
    context = malloc(sizeof *context);
    context->level = level;
    memset(context->table, level, sizeof context->table);
    window = malloc(1024);
    memset(window, 0, 1024);
    return 0;
}

int codec_encode(const char *s)
{
    size_t n = strlen(s);
    char *out = malloc(2 * n + 1);
    for (size_t i = 0; i < n; i++) { out[2 * i] = s[i]; out[2 * i + 1] = (char)context->level; }
    out[2 * n] = 0;
    int r = (unsigned char)out[n];
    free(out);
    return r;
}

void codec_stop(void)
{
    free(window);
    window = NULL;
    context = NULL;             /* the context is forgotten */
}
