/* SPDX-License-Identifier: MIT */
/* A configuration is read anew every cycle; the one before it is kept until the cycle after, for those who still read it. */
#include "bench.h"

struct setting { struct setting *next; char key[24]; char *value; };
static struct setting *current, *previous;

static struct setting *setting_parse(int i, int k)
{
    struct setting *s = malloc(sizeof *s);
    snprintf(s->key, sizeof s->key, "option-%d", k);
    s->value = malloc(16 + (size_t)((i + k) % 5) * 8);
    return s;
}

static struct setting *config_read(int i)
{
    struct setting *list = NULL;
    for (int k = 0; k < 10 + i % 3; k++) {
        struct setting *s = setting_parse(i, k);
        s->next = list;
        list = s;
    }
    return list;
}

static void config_free(struct setting *list)
{
    while (list) {
        struct setting *next = list->next;
        free(list->value);
        free(list);
        list = next;
    }
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        config_free(previous);
        previous = current;
        current = config_read(i);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
