/* SPDX-License-Identifier: MIT */
/* GLib: a display name from g_strdup_printf and a GObject (a GSimpleAction) that are never released;
 * a GList that is. FIXED: g_free and g_object_unref. */
#include "bench.h"
#include <gio/gio.h>

static char *display_name(int i) { char *s = g_strdup_printf("Contact number %04d", i); bench_use(s); return s; }

static GSimpleAction *action_make(int i)
{
    GSimpleAction *a = g_simple_action_new(i % 2 ? "copy" : "move", NULL);
    g_simple_action_set_enabled(a, i % 3 != 0);
    return a;
}

static int queue_fill(int i)
{
    GList *l = NULL;
    for (int k = 0; k < 10; k++) l = g_list_prepend(l, GINT_TO_POINTER(i + k));
    int n = (int)g_list_length(l);
    g_list_free(l);
    return n;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    for (int i = 0; i < cycles; i++) {
        char *name = display_name(i);
        GSimpleAction *a = action_make(i);
        n += queue_fill(i) + (int)strlen(name);
#ifdef FIXED
        g_free(name);
        g_object_unref(a);
#else
        (void)a;
#endif
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
