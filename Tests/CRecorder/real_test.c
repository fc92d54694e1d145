/* SPDX-License-Identifier: MIT
 *
 * real_test.c: a loader that allocates while it looks up the real functions, and what becomes of those blocks. The
 * file under test is included, with a dlsym of ours in it.
 */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static void *loader_find(void *scope, const char *name);
#define dlsym loader_find
#include "../../CShims/Interpose/real.c"
#undef dlsym

#include "check.h"

static unsigned lookups, freed_by_libc;
static void *early[4];

static void counting_free(void *block)
{
    freed_by_libc++;
    free(block);
}

static void *loader_find(void *scope, const char *name)
{
    CHECK(scope == RTLD_NEXT);
    if (lookups++ == 2) {                 /* as loaders and other interposers do */
        early[0] = real.malloc(100);
        early[1] = real.calloc(3, 50);
        CHECK(real.posix_memalign(&early[2], 4096, 10) == 0);
        early[3] = real.realloc(NULL, 20);
        CHECK(real.malloc(1 << 20) == NULL && errno == ENOMEM);
        CHECK(real.calloc(SIZE_MAX, 2) == NULL && errno == ENOMEM);
        CHECK(real.realloc(early[3], 0) == NULL);
        real.free(early[3]);
        early[3] = real.realloc(real.malloc(8), 30);
    }
    if (strcmp(name, "free") == 0)
        return (void *)counting_free;
    if (strcmp(name, "execveat") == 0)
        return NULL;
    return dlsym(RTLD_DEFAULT, name);
}

int main(void)
{
    CHECK(!real_is_arena_block(NULL));
    void *first = real.malloc(64);        /* looks the others up */
    CHECK(first && !real_is_arena_block(first) && lookups > 10);
    CHECK(real.execveat == NULL && real.execve != NULL);
    for (int i = 0; i < 4; i++)
        CHECK(early[i] && real_is_arena_block(early[i]) && (uintptr_t)early[i] % 16 == 0);
    CHECK((uintptr_t)early[2] % 4096 == 0);
    for (int i = 0; i < 150; i++)
        CHECK(((char *)early[1])[i] == 0);
    memset(early[0], 1, 100);
    memset(early[1], 2, 150);
    memset(early[2], 3, 10);
    memset(early[3], 4, 30);
    CHECK(((char *)early[0])[99] == 1 && ((char *)early[1])[0] == 2);

    CHECK_EQUAL(real.malloc_usable_size(early[0]), 100);
    CHECK(real.malloc_usable_size(first) >= 64);
    char *moved = real.realloc(early[0], 500);
    CHECK(moved && !real_is_arena_block(moved) && moved[0] == 1 && moved[99] == 1);
    char *cut = real.realloc(early[1], 5);
    CHECK(cut && cut[4] == 2);
    CHECK(real.realloc(early[2], 0) == NULL);
    real.free(early[3]);
    real.free(NULL);
    CHECK_EQUAL(freed_by_libc, 1);        /* NULL is passed on, arena blocks are not */
    real.free(moved);
    real.free(cut);
    real.free(first);
    CHECK_EQUAL(freed_by_libc, 4);

    unsigned before = lookups;
    real_find();
    CHECK_EQUAL(lookups, before);
    return CHECK_REPORT();
}
