/* SPDX-License-Identifier: MIT
 *
 * module_test.c: which object an address lies in, what the trace says of it, and libraries that come and go under it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "module.h"

#include "check.h"
#include "genmark_trace_access.h"
#include "text.h"
#include "trace.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

/* A library of libc's that nothing else needs. musl has one library only, and never unloads any. */
#ifdef __GLIBC__
#define LIBRARY "libresolv.so.2"
#define SYMBOL "inet_net_pton"
#define LIBC "/libc.so.6"
#else
#define LIBC "/ld-musl-x86_64.so.1"
#endif

static bool path_is(const struct gm_module *module, const char *expected)
{
    return module->path.length == strlen(expected) &&
           memcmp(trace_file.base + module->path.offset, expected, module->path.length) == 0;
}

static bool path_ends(const struct gm_module *module, const char *end)
{
    size_t length = strlen(end);
    return module->path.length >= length &&
           memcmp(trace_file.base + module->path.offset + module->path.length - length, end, length) == 0;
}

static void test_what_is_loaded(void)
{
    struct module_tables tables;
    char program[4096];
    struct stat file;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    stat(program, &file);
    /* Under qemu-user the kernel's name for this program is qemu's file. */
    struct stat running;
    bool emulated = stat("/proc/self/exe", &running) == 0 && running.st_ino != file.st_ino;

    CHECK(module_find((uintptr_t)test_what_is_loaded, &tables));
    CHECK(tables.module != 0 && tables.eh_frame_hdr != NULL);
    struct gm_module *module = trace_module(tables.module);
    CHECK(module->flags == GM_MODULE_MAIN);
    CHECK(path_is(module, program));
    CHECK(emulated || (module->inode == file.st_ino && module->file_size == (uint64_t)file.st_size));
    CHECK(module->start == tables.start && module->end == tables.end && module->bias <= module->start);
    CHECK_EQUAL(module->unloaded_generation, GM_NO_GENERATION);
    uint32_t id = tables.module;
    CHECK(module_find((uintptr_t)path_ends, &tables) && tables.module == id);

    /* A function that no sanitizer has in its place. */
    CHECK(module_find((uintptr_t)dlsym(RTLD_DEFAULT, "labs"), &tables));
    module = trace_module(tables.module);
    CHECK(module->flags == 0);
    CHECK(path_ends(module, LIBC) || path_ends(module, "/libc.so"));
    CHECK(module->build_id_size == 0 || module->build_id_size >= 16);

    uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
    if (vdso && module_find(vdso + 64, &tables))
        CHECK(trace_module(tables.module)->flags == GM_MODULE_VDSO);

    CHECK(!module_find(0, &tables));
    CHECK(!module_find(UINTPTR_MAX, &tables));
    CHECK(!module_find((uintptr_t)&tables, &tables));
}

#ifdef __GLIBC__
static unsigned gone_count;
static uint32_t gone_module;
static uintptr_t gone_start, gone_end;
static void gone(uint32_t module, uintptr_t start, uintptr_t end)
{
    gone_count++;
    gone_module = module;
    gone_start = start;
    gone_end = end;
}

static void test_closed_library(void)
{
    struct module_tables tables, again;
    uint32_t last = 0;
    module_sweep(gone);
    CHECK_EQUAL(gone_count, 0);
    for (int round = 0; round < 3; round++) {
        void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
        CHECK(library != NULL);
        if (!library)
            return;
        uintptr_t address = (uintptr_t)dlsym(library, SYMBOL);
        module_scan();
        CHECK(module_find(address, &tables));
        CHECK(tables.module > last);
        CHECK(path_ends(trace_module(tables.module), LIBRARY));
        last = tables.module;
        module_sweep(gone);
        CHECK_EQUAL(gone_count, round);
        dlclose(library);
        module_sweep(gone);
        CHECK_EQUAL(gone_count, round + 1);
        CHECK(gone_module == last && gone_start == tables.start && gone_end == tables.end);
        CHECK_EQUAL(trace_module(last)->unloaded_generation, 0);
        CHECK(!module_find(address, &again));
        CHECK(!module_tables_at(address, &again));
    }
    /* Closed unseen, and loaded again: another object, whatever its address. */
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    uintptr_t address = (uintptr_t)dlsym(library, SYMBOL);
    CHECK(module_find(address, &tables));
    dlclose(library);
    CHECK(!module_find(address, &again));
}
#endif

static void test_fork_child(void)
{
    struct module_tables before, after;
    CHECK(module_find((uintptr_t)test_fork_child, &before));
    module_forget_all();
    CHECK(module_find((uintptr_t)test_fork_child, &after));
    CHECK(after.module > before.module && after.start == before.start);
}

static bool stop;
static void *look(void *argument)
{
    unsigned wrong = 0;
    struct module_tables tables;
    (void)argument;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        wrong += !module_find((uintptr_t)look, &tables) || tables.start > (uintptr_t)look || tables.end <= (uintptr_t)look;
        wrong += !module_find((uintptr_t)dlsym(RTLD_DEFAULT, "labs"), &tables);
    }
    return (void *)(uintptr_t)wrong;
}

static void test_threads(void)
{
    pthread_t threads[3];
    void *wrong;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, look, NULL);
    for (int round = 0; round < 50; round++) {
#ifdef __GLIBC__
        struct module_tables tables;
        void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
        CHECK(library && module_find((uintptr_t)dlsym(library, SYMBOL), &tables));
        dlclose(library);
        module_sweep(gone);
#else
        module_scan();
#endif
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], &wrong);
        CHECK_EQUAL((uintptr_t)wrong, 0);
    }
}

int main(void)
{
    char directory[] = "/tmp/genmark-module-XXXXXX", path[64];
    CHECK(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/trace", directory);
    CHECK_EQUAL(trace_create(path, 64 << 20, false), 0);
    module_start();
    test_what_is_loaded();
#ifdef __GLIBC__
    test_closed_library();
#endif
    test_fork_child();
    test_threads();
    unlink(path);
    rmdir(directory);
    return CHECK_REPORT();
}
