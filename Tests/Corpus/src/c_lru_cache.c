/* SPDX-License-Identifier: MIT */
/* An LRU cache bounded at 50 entries: 5 new keys a cycle, so the bound is met at cycle 10. */
#include "bench.h"

#define LIMIT 50
struct entry { struct entry *prev, *next; int key; char *value; char pad[48]; };

static struct entry head = { &head, &head, -1, NULL, {0} };
static int used;

static char *value_make(int key)
{
    char *v = malloc(200);
    snprintf(v, 200, "value of %d", key);
    return v;
}

static void unlink_entry(struct entry *e) { e->prev->next = e->next; e->next->prev = e->prev; }

static void evict_oldest(void)
{
    struct entry *e = head.prev;
    unlink_entry(e);
    free(e->value);
    free(e);
    used--;
}

static void cache_insert(int key)
{
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->value = value_make(key);
    e->next = head.next; e->prev = &head;
    head.next->prev = e; head.next = e;
    if (++used > LIMIT) evict_oldest();
}

static void cache_get(int key)
{
    for (struct entry *e = head.next; e != &head; e = e->next)
        if (e->key == key) {
            unlink_entry(e);
            e->next = head.next; e->prev = &head;
            head.next->prev = e; head.next = e;
            return;
        }
    cache_insert(key);
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 0; i < cycles; i++) {
        for (int k = 0; k < 5; k++) cache_get(i * 5 + k);
        cache_get(i * 5 - 3);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
