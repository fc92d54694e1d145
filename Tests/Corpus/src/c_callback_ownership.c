/* SPDX-License-Identifier: MIT */
/* A tiny event bus takes a callback, its data and a destroy function. One subscriber passes NULL for
 * the destroy function because it believes that the bus frees the data. */
#include "bench.h"

typedef void (*handler)(void *data, int event);
struct hook { handler call; void *data; void (*destroy)(void *); };

static struct hook *hooks[16];
static int nhooks;

static struct hook *bus_connect(handler call, void *data, void (*destroy)(void *))
{
    struct hook *h = malloc(sizeof *h);
    h->call = call; h->data = data; h->destroy = destroy;
    hooks[nhooks++] = h;
    return h;
}

static void bus_disconnect_all(void)
{
    while (nhooks) {
        struct hook *h = hooks[--nhooks];
        if (h->destroy) h->destroy(h->data);
        free(h);
    }
}

static void bus_emit(int e) { for (int i = 0; i < nhooks; i++) hooks[i]->call(hooks[i]->data, e); }

struct progress { int done; char label[52]; };
struct sound { int volume; char file[28]; };

static void on_progress(void *d, int e) { ((struct progress *)d)->done += e; }
static void on_sound(void *d, int e) { ((struct sound *)d)->volume ^= e; }

static void progress_attach(int i)
{
    struct progress *p = malloc(sizeof *p);
    p->done = 0;
    snprintf(p->label, sizeof p->label, "task %d", i);
    bus_connect(on_progress, p, NULL);      /* nobody frees p */
}

static void sound_attach(int i)
{
    struct sound *s = malloc(sizeof *s);
    s->volume = i;
    strcpy(s->file, "ding.ogg");
    bus_connect(on_sound, s, free);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 0; i < cycles; i++) {
        progress_attach(2 * i);
        progress_attach(2 * i + 1);
        sound_attach(i);
        bus_emit(3);
        bus_disconnect_all();
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
