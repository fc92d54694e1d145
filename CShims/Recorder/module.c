/* SPDX-License-Identifier: MIT
 *
 * module.c: the table of loaded objects and their records in the trace. What the loader and the ELF headers in memory
 * say of one object is read in module_image.c.
 *
 * The table is sorted by address. Readers take no lock: they search, and search again when the version says that a
 * writer came in between (a seqlock). Writers hold module_lock. Entries leave by module_sweep only.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "module.h"

#include "genmark_trace_access.h"
#include "lock.h"
#include "module_image.h"
#include "os.h"
#include "text.h"
#include "trace.h"
#include "unwind.h"

#include <string.h>

enum { FIRST_CAPACITY = 256, PATIENCE = 64 };

struct entry {
    struct module_image image;
    uint32_t module;               /* id in the trace; 0 none yet */
    uint32_t refused;              /* the trace had no room for it: counted once, not tried again */
};

static struct recorder_lock module_lock;
/* Written under the lock. Odd: being changed. Readers: acquire before and after. */
static uint32_t table_version;
static struct entry *table;
static uint32_t table_count;
static uint32_t table_capacity;

static char program_path[4096];

/* Index of the last entry that starts at or below `address`, or −1. `count` is passed since a reader must use one value. */
static int64_t entry_before(const struct entry *entries, uint32_t count, uintptr_t address)
{
    int64_t low = -1, high = count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (__atomic_load_n(&entries[middle].image.start, __ATOMIC_RELAXED) <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool entry_tables(const struct entry *entries, uint32_t count, uintptr_t address, struct module_tables *tables,
                         const void **identity)
{
    int64_t i = entry_before(entries, count, address);
    if (i < 0)
        return false;
    tables->start = __atomic_load_n(&entries[i].image.start, __ATOMIC_RELAXED);
    tables->end = __atomic_load_n(&entries[i].image.end, __ATOMIC_RELAXED);
    tables->eh_frame_hdr = __atomic_load_n(&entries[i].image.eh_frame_hdr, __ATOMIC_RELAXED);
    tables->module = __atomic_load_n(&entries[i].module, __ATOMIC_RELAXED);
    *identity = __atomic_load_n(&entries[i].image.identity, __ATOMIC_RELAXED);
    return address < tables->end && (tables->module || __atomic_load_n(&entries[i].refused, __ATOMIC_RELAXED) ||
                                     !trace_file.base);
}

/* Without the lock. False also when nothing can be said: then the locked way decides. */
static bool find_unlocked(uintptr_t address, struct module_tables *tables, const void **identity)
{
    for (int tries = 0; tries < PATIENCE; tries++) {
        uint32_t version = __atomic_load_n(&table_version, __ATOMIC_ACQUIRE);
        if (version & 1)
            continue;
        const struct entry *entries = __atomic_load_n(&table, __ATOMIC_RELAXED);
        bool found = entry_tables(entries, __atomic_load_n(&table_count, __ATOMIC_RELAXED), address, tables, identity);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&table_version, __ATOMIC_RELAXED) == version)
            return found;
    }
    return false;
}

/* Brackets of a change, under the lock. The version may be odd already: a thread was thrown out of a change by a longjmp
 * or left behind by a fork. */
static void change_begin(void)
{
    __atomic_store_n(&table_version, table_version | 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

static void change_end(void) { __atomic_store_n(&table_version, (table_version | 1) + 1, __ATOMIC_RELEASE); }

/* The text of a path that begins at the root. Under the lock. */
static struct gm_string absolute_path(const char *path)
{
    static char buffer[4096];      /* not on the stack: it may be that of a small coroutine */
    if (path[0] == '/' || path[0] == 0)
        return trace_string(path, text_length(path));
    /* dlopen was given a path relative to where the program stood. */
    struct text text = text_in(buffer, sizeof buffer);
    long length = os_read_link("/proc/self/cwd", buffer, sizeof buffer);
    if (length > 0)
        text.length = (size_t)length;
    while (text_starts(path, "./"))
        path += 2;
    if (length > 0)
        text_add(&text, "/");
    text_add(&text, path);
    return trace_string(buffer, text.length);
}

/* Writes an object into the trace. Under the lock. */
static void entry_register(struct entry *entry)
{
    if (!trace_file.base || entry->module || entry->refused)
        return;
    uint32_t id;
    struct gm_module *record = trace_new_module(&id);
    if (!record) {
        entry->refused = 1;
        trace_count_loss(GM_LOSS_MODULES, 1);
        return;
    }
    const struct module_image *image = &entry->image;
    const char *path = image->flags & GM_MODULE_MAIN && program_path[0] ? program_path : image->name;
    record->path = absolute_path(path);
    record->bias = image->bias;
    record->start = image->start;
    record->end = image->end;
    struct os_file file;
    if (!(image->flags & GM_MODULE_VDSO) && os_stat(image->flags & GM_MODULE_MAIN ? "/proc/self/exe" : path, &file) == 0) {
        record->device = file.device;
        record->inode = file.inode;
        record->modified_ns = file.modified_ns;
        record->file_size = file.size;
    }
    record->loaded_generation = gm_load_acquire_u32(&trace_header()->generation);
    record->unloaded_generation = GM_NO_GENERATION;
    record->flags = image->flags;
    record->build_id_size = image->build_id_size;
    memcpy(record->build_id, image->build_id, sizeof record->build_id);
    trace_publish_module(id);
    __atomic_store_n(&entry->module, id, __ATOMIC_RELAXED);
}

/* Room for one more entry. The old array is kept, for readers that are in it. Under the lock. */
static bool table_reserve(void)
{
    if (table_count < table_capacity)
        return true;
    uint32_t capacity = table_capacity ? table_capacity * 2 : FIRST_CAPACITY;
    struct entry *larger = os_map(capacity * sizeof *larger);
    if (!larger)
        return false;
    if (table_count)
        memcpy(larger, table, table_count * sizeof *larger);
    table_capacity = capacity;
    __atomic_store_n(&table, larger, __ATOMIC_RELAXED);
    return true;
}

/* By atomic words: a reader may look on, and then throws away what it saw. */
static void entry_store(struct entry *to, const struct entry *from)
{
    typedef uint64_t __attribute__((may_alias)) word;
    _Static_assert(sizeof *to % sizeof(word) == 0, "copied by words");
    for (size_t i = 0; i < sizeof *to / sizeof(word); i++)
        __atomic_store_n((word *)to + i, ((const word *)from)[i], __ATOMIC_RELAXED);
}

static void entry_remove(uint32_t at)
{
    change_begin();
    for (uint32_t i = at; i + 1 < table_count; i++)
        entry_store(&table[i], &table[i + 1]);
    __atomic_store_n(&table_count, table_count - 1, __ATOMIC_RELAXED);
    change_end();
}

/* Writes the end of an object into the trace. */
static void entry_end(const struct entry *entry)
{
    if (entry->module && trace_file.base)
        gm_store_release_u32(&trace_module(entry->module)->unloaded_generation,
                             gm_load_acquire_u32(&trace_header()->generation));
}

/* Adds what the loader says; under the lock. NULL when there is no memory for it. */
static struct entry *entry_add(const struct module_image *image)
{
    int64_t before = entry_before(table, table_count, image->start);
    if (before >= 0 && module_image_same(&table[before].image, image))
        return &table[before];
    change_begin();
    if (!table_reserve()) {
        change_end();
        return NULL;
    }
    uint32_t at = (uint32_t)(before + 1);
    for (uint32_t i = table_count; i > at; i--)
        entry_store(&table[i], &table[i - 1]);
    entry_store(&table[at], &(struct entry){.image = *image});
    __atomic_store_n(&table_count, table_count + 1, __ATOMIC_RELAXED);
    change_end();
    return &table[at];
}

/* What `find_locked` found out of date: its addresses mean something else now. */
struct stale { uintptr_t start, end; };

static GM_COLD bool find_locked(uintptr_t address, struct module_tables *tables, struct stale *stale)
{
    struct module_image image;
    bool found = false, ask = module_image_can_find();
    recorder_lock(&module_lock, (uint32_t)os_tid());
    int64_t i = entry_before(table, table_count, address);
    struct entry *entry = i >= 0 && address < table[i].image.end ? &table[i] : NULL;
    if (entry && ask && !module_image_is_at(address, entry->image.identity)) {
        /* Closed by libc itself (a character set or name service), which we do not see. */
        *stale = (struct stale){entry->image.start, entry->image.end};
        entry_end(entry);
        entry_remove((uint32_t)i);
        entry = NULL;
    }
    if (!entry && ask && module_image_find(address, &image)) {
        module_image_complete(&image);
        entry = entry_add(&image);
    }
    if (entry) {
        entry_register(entry);
        *tables = (struct module_tables){entry->image.start, entry->image.end, entry->image.eh_frame_hdr, entry->module};
        found = true;
    }
    recorder_unlock(&module_lock);
    return found;
}

bool module_find(uintptr_t address, struct module_tables *tables)
{
    const void *identity = NULL;
    struct stale stale = {0, 0};
    bool known = find_unlocked(address, tables, &identity);
    if (module_image_can_find()) {
        struct module_image image;
        if (known && module_image_is_at(address, identity))
            return true;
        if (!known && !module_image_find(address, &image))
            return false;
    } else if (known) {
        return true;
    }
    bool found = find_locked(address, tables, &stale);
    if (stale.start)
        unwind_forget(stale.start, stale.end);
    return found;
}

bool module_tables_at(uintptr_t address, struct module_tables *tables)
{
    struct module_image image;
    const void *identity;
    if (!module_image_can_find())
        return find_unlocked(address, tables, &identity) || find_locked(address, tables, &(struct stale){0, 0});
    if (!module_image_find(address, &image))
        return false;
    *tables = (struct module_tables){image.start, image.end, image.eh_frame_hdr, 0};
    return true;
}

static void scanned(const struct module_image *image) { entry_add(image); }

void module_scan(void)
{
    if (module_image_can_find())
        return;
    recorder_lock(&module_lock, (uint32_t)os_tid());
    module_image_each(scanned);
    recorder_unlock(&module_lock);
}

void module_start(void)
{
    if (os_read_link("/proc/self/exe", program_path, sizeof program_path) < 0)
        program_path[0] = 0;
    module_image_start();
    module_scan();
}

static void sweep(void *context)
{
    void (*const *gone)(uint32_t module, uintptr_t start, uintptr_t end) = context;
    for (uint32_t at = 0;; at++) {
        recorder_lock(&module_lock, (uint32_t)os_tid());
        if (at >= table_count) {
            recorder_unlock(&module_lock);
            return;
        }
        struct entry entry = table[at];
        bool loaded = module_image_still_loaded(&entry.image);
        if (!loaded) {
            entry_end(&entry);
            entry_remove(at);
        }
        recorder_unlock(&module_lock);
        if (!loaded) {
            /* Outside the lock: `gone` forgets rules, and that lock comes before ours. */
            (*gone)(entry.module, entry.image.start, entry.image.end);
            at--;
        }
    }
}

void module_sweep(void (*gone)(uint32_t module, uintptr_t start, uintptr_t end))
{
    /* Another thread may be closing something too: what is looked into here must not go away meanwhile. The loader's lock is
     * taken before ours, never after. */
    module_image_hold(sweep, &gone);
}

bool module_recheck(uintptr_t address, void (*gone)(uint32_t module, uintptr_t start, uintptr_t end))
{
    struct module_image now;
    if (!module_image_can_find())
        return false;
    bool loaded = module_image_find(address, &now), stale = false;
    if (loaded)
        module_image_complete(&now);
    recorder_lock(&module_lock, (uint32_t)os_tid());
    int64_t i = entry_before(table, table_count, address);
    struct entry entry;
    if (i >= 0 && address < table[i].image.end && !(loaded && module_image_same(&table[i].image, &now))) {
        stale = true;
        entry = table[i];
        entry_end(&entry);
        entry_remove((uint32_t)i);
    }
    recorder_unlock(&module_lock);
    if (stale)
        gone(entry.module, entry.image.start, entry.image.end);
    return stale;
}

void module_forget_all(void)
{
    for (uint32_t i = 0; i < table_count; i++) {
        table[i].module = 0;
        table[i].refused = 0;
    }
    change_end();
    recorder_unlock(&module_lock);
}
