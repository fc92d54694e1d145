/* SPDX-License-Identifier: MIT
 *
 * trace.c: the trace file of this process. Extents and the lock in the file are CMark's (../Mark/extent.c); here
 * are the tables that find a record by its id without walking the file.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "trace.h"

#include "compiler.h"
#include "genmark_trace_access.h"
#include "livemap.h"
#include "os.h"
#include "output.h"
#include "settings.h"
#include "thread.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum {
    PATH_SIZE = 4096,
    LEAST_LIMIT = 64 * 1024,          /* bytes: below that there is no use in a trace */
    END_SLACK = 16 * 1024,            /* bytes left at the end for what is allocated after it */
    RESERVE = 2 << 20,                /* bytes made sure of in a process that will not be able to */
    SHRINK_SLACK = 128 * 1024,        /* bytes that a trace keeps for its future when the process is limited */
    MODULE_EXTENTS = 4096,
    SPACE_PARTS = 32,                 /* of a limit on address space or private memory, one is the trace's; */
    TIGHT_SPACE = 64 << 20,           /* half of one below this many bytes */
    /* Sixteenths of the limit. Past the first, stacks merge into what is known of them; past the second, no cells are added; the
     * rest is for counters and marks. */
    NODES_SHARE = 8,
    CELLS_SHARE = 13,
    MERGED_SHARE = 15                 /* for the node and the cells of stacks that found no place of their own */
};

struct gm_file trace_file;

/* Where extents are, by number; private to the process, constant entries once set. */
struct gm_node **trace_node_extents;
static struct gm_cell **cell_extents;
static struct gm_module *module_extents[MODULE_EXTENTS];
static uint64_t node_extent_limit, cell_extent_limit;
static uint32_t next_node = 1, next_cell = 1, next_module = 1;    /* each under its kind's lock */

static struct os_file trace_identity;
static char trace_path[PATH_SIZE];

static uint64_t page_up(uint64_t size) { return (size + 4095) & ~4095ull; }

uint64_t trace_space(void)
{
    uint64_t space = os_limit(RLIMIT_AS), data = os_limit(RLIMIT_DATA);
    return data < space ? data : space;
}

static uint64_t share(uint64_t space) { return space / (space < TIGHT_SPACE ? 2 * SPACE_PARTS : SPACE_PARTS); }

/* The limit that this process can afford, so that what we reserve is not what the program then lacks: the trace and the
 * tables for it take three times as much address space, and twice as much private memory. */
static uint64_t affordable(uint64_t limit)
{
    uint64_t file_limit = os_limit(RLIMIT_FSIZE), space = trace_space();
    if (file_limit < limit)
        limit = file_limit;
    if (space != UINT64_MAX && share(space) < limit)
        limit = share(space);
    return limit & ~4095ull;
}

static bool tables_create(uint64_t limit)
{
    node_extent_limit = limit / (GM_NODES_PER_EXTENT * sizeof(struct gm_node)) + 1;
    cell_extent_limit = limit / (GM_CELLS_PER_EXTENT * sizeof(struct gm_cell)) + 1;
    size_t nodes_size = page_up(node_extent_limit * sizeof *trace_node_extents), cells_size = page_up(cell_extent_limit * sizeof *cell_extents);
    trace_node_extents = os_keep_from_children(os_map(nodes_size), nodes_size);
    cell_extents = os_keep_from_children(os_map(cells_size), cells_size);
    memset(module_extents, 0, sizeof module_extents);
    next_node = next_cell = next_module = 1;
    return trace_node_extents && cell_extents;
}

static uint64_t start_ticks(void)
{
    /* Field 22 of /proc/self/stat; field 2 is the name in brackets and may hold anything, so count from the last ')'. */
    char text[1024];
    if (os_read_file("/proc/self/stat", text, sizeof text) <= 0)
        return 0;
    char *at = strrchr(text, ')');
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    uint64_t ticks = 0;
    for (at = at ? at + 1 : text; *at >= '0' && *at <= '9'; at++)
        ticks = ticks * 10 + (uint64_t)(*at - '0');
    return ticks;
}

static void describe_process(struct gm_header *header, bool forked)
{
    static char text[16 * 1024];      /* once, before recording, one thread */
    long length = os_read_link("/proc/self/exe", text, sizeof text);
    header->program = length > 0 ? gm_string_add(&trace_file, text, (size_t)length) : (struct gm_string){0, 0, 0};
    length = os_read_file("/proc/self/cmdline", text, sizeof text);
    header->arguments = length > 0 ? gm_string_add(&trace_file, text, (size_t)length) : (struct gm_string){0, 0, 0};
    length = os_call(SYS_getcwd, (long)text, sizeof text, 0, 0, 0, 0);
    header->directory = length > 1 ? gm_string_add(&trace_file, text, (size_t)length - 1) : (struct gm_string){0, 0, 0};
    header->pid = (uint32_t)os_pid();
    header->parent_pid = (uint32_t)os_parent_pid();
    header->process_start_ticks = start_ticks();
    header->start_realtime_ns = os_realtime_ns();
    header->start_monotonic_ns = os_monotonic_ns();
#if defined(__x86_64__)
    header->machine = 62;
#else
    header->machine = 183;
#endif
    if (forked)
        gm_or_u32(&header->flags, GM_FLAG_FORKED);
    header->run = settings.run;
    if (settings.run != 0 && output_is_launcher())
        gm_or_u32(&header->flags, GM_FLAG_LAUNCHER);
}

int trace_create(const char *path, uint64_t limit, bool forked)
{
    size_t length = strlen(path);
    if (length >= PATH_SIZE)
        return -ENAMETOOLONG;
    memcpy(trace_path, path, length + 1);
    void *start = NULL;
    int result = -EFBIG;
    for (limit = affordable(limit); limit >= LEAST_LIMIT; limit = limit / 2 & ~4095ull) {
        result = os_create_mapped(path, limit, &start, &trace_identity);
        if (result != -ENOMEM && result != -EFBIG && result != -EINVAL && result != -ENOSPC)
            break;
    }
    if (result < 0)
        return result;
    trace_file = (struct gm_file){start, limit};
    uint32_t tid = (uint32_t)os_tid();
    bool ready = tables_create(limit) && gm_trace_begin(&trace_file, tid);
    if (!ready) {
        os_unmap(start, limit);
        trace_file = (struct gm_file){NULL, 0};
        os_unlink(path);
        return -ENOSPC;
    }
    gm_lock(&trace_file, tid);
    describe_process(trace_header(), forked);
    gm_unlock(&trace_file);
    /* Release, last: a file with the magic has all that a reader needs. */
    gm_store_release_u64(&trace_header()->magic, GM_MAGIC);
    return 0;
}

void trace_discard(void)
{
    os_unlink(trace_path);
    os_unmap(trace_file.base, trace_file.size);
    trace_forget();
}

void trace_forget(void)
{
    trace_file = (struct gm_file){NULL, 0};
    trace_node_extents = NULL;
    cell_extents = NULL;
}

/* Cuts the file to `size` bytes, when that is less than it may have. Under the lock. */
static void cut_to(uint64_t size)
{
    struct gm_header *header = trace_header();
    if (size >= header->limit || os_cut(trace_path, size, &trace_identity) != 0)
        return;
    header->limit = size;
    if (header->populated > size)
        header->populated = size;
}

void trace_end(uint32_t kind, int32_t value)
{
    struct gm_header *header = trace_header();
    if (!header)
        return;
    header->end_value = value;
    header->end_ns = os_monotonic_ns() - header->start_monotonic_ns;
    gm_store_release_u32(&header->end_kind, kind);
    /* Whoever holds the lock now may be a thread that this exit has stopped for ever. */
    if (!gm_try_lock(&trace_file, (uint32_t)os_tid()))
        return;
    cut_to(page_up(header->used + END_SLACK));
    gm_unlock(&trace_file);
}

void trace_reserve(void)
{
    struct gm_header *header = trace_header();
    gm_lock(&trace_file, thread_id());
    uint64_t goal = page_up(header->used + RESERVE);
    if (goal > header->limit)
        goal = header->limit & ~4095ull;
    if (goal > header->populated && os_populate(trace_file.base + header->populated, goal - header->populated))
        header->populated = goal;
    gm_unlock(&trace_file);
}

void trace_cut(void)
{
    gm_lock(&trace_file, thread_id());
    uint64_t size = page_up(trace_header()->used + RESERVE);
    cut_to(size > trace_header()->populated ? size : page_up(trace_header()->populated));
    gm_unlock(&trace_file);
}

void trace_resume(void)
{
    struct gm_header *header = trace_header();
    if (!header)
        return;
    gm_store_release_u32(&header->end_kind, GM_END_NONE);
    /* Past RLIMIT_FSIZE, making it longer again would be answered with SIGXFSZ: then it stays as it is. */
    if (header->limit < trace_file.size && os_limit(RLIMIT_FSIZE) >= trace_file.size &&
        os_cut(trace_path, trace_file.size, &trace_identity) == 0)
        header->limit = trace_file.size;
}

bool trace_shrink(uint64_t space)
{
    if (space == UINT64_MAX)
        return false;
    gm_lock(&trace_file, thread_id());
    struct gm_header *header = trace_header();
    uint64_t before = trace_file.size, size = share(space) & ~4095ull, least = page_up(header->used + SHRINK_SLACK);
    if (size < least)
        size = least;
    if (size < header->populated)
        size = page_up(header->populated);
    if (size < before) {
        /* The file keeps its length, which costs nothing: a marker in another process has all of it mapped. */
        gm_store_u64(&trace_file.size, size);
        if (header->limit > size)
            header->limit = size;
        os_unmap(trace_file.base + size, before - size);
    }
    gm_unlock(&trace_file);
    return size < before;
}

void trace_count_loss(unsigned kind, uint64_t count)
{
    if (trace_header())
        gm_add_u64(&trace_header()->losses[kind], count);
}

struct gm_string trace_string(const char *text, size_t length)
{
    gm_lock(&trace_file, thread_id());
    struct gm_string string = gm_string_add(&trace_file, text, length);
    gm_unlock(&trace_file);
    return string;
}

static struct gm_extent *extent_add(uint32_t kind, uint64_t first, uint32_t capacity, uint32_t element_size)
{
    gm_lock(&trace_file, thread_id());
    struct gm_extent *extent =
        gm_extent_add(&trace_file, kind, first, capacity, element_size, (uint64_t)capacity * element_size, 0);
    if (extent && kind == GM_EXTENT_CELLS) {
        struct gm_header *header = trace_header();
        uint64_t offset = (uint64_t)((uint8_t *)extent - trace_file.base);
        if (header->last_cells)
            ((struct gm_extent *)(trace_file.base + header->last_cells))->next = offset;
        else
            header->first_cells = offset;
        header->last_cells = offset;
    }
    gm_unlock(&trace_file);
    return extent;
}

static bool is_fuller_than(unsigned sixteenths)
{
    return gm_load_u64(&trace_header()->used) > trace_file.size / 16 * sixteenths;
}

struct gm_node *trace_new_node(uint32_t *id, bool is_merged)
{
    uint32_t extent = next_node / GM_NODES_PER_EXTENT;
    if (extent >= node_extent_limit)
        return NULL;
    if (!trace_node_extents[extent]) {
        if (is_fuller_than(is_merged ? MERGED_SHARE : NODES_SHARE))
            return NULL;
        struct gm_extent *added = extent_add(GM_EXTENT_NODES, (uint64_t)extent * GM_NODES_PER_EXTENT, GM_NODES_PER_EXTENT,
                                             sizeof(struct gm_node));
        if (!added)
            return NULL;
        trace_node_extents[extent] = (struct gm_node *)(added + 1);
    }
    *id = next_node++;
    return trace_node(*id);
}

void trace_publish_node(uint32_t id) { gm_store_release_u64(&trace_header()->node_count, (uint64_t)id + 1); }

struct gm_cell *trace_new_cell(uint32_t *id, bool is_merged)
{
    uint32_t extent = next_cell / GM_CELLS_PER_EXTENT;
    if (extent >= cell_extent_limit || next_cell >= LIVEMAP_CELL_LIMIT)
        return NULL;
    if (!cell_extents[extent]) {
        if (is_fuller_than(is_merged ? MERGED_SHARE : CELLS_SHARE))
            return NULL;
        struct gm_extent *added = extent_add(GM_EXTENT_CELLS, (uint64_t)extent * GM_CELLS_PER_EXTENT, GM_CELLS_PER_EXTENT,
                                             sizeof(struct gm_cell));
        if (!added)
            return NULL;
        cell_extents[extent] = (struct gm_cell *)(added + 1);
    }
    *id = next_cell++;
    return trace_cell(*id);
}

void trace_publish_cell(uint32_t id) { gm_store_release_u64(&trace_header()->cell_count, (uint64_t)id + 1); }

struct gm_cell *trace_cell(uint32_t id) { return &cell_extents[id / GM_CELLS_PER_EXTENT][id % GM_CELLS_PER_EXTENT]; }

struct gm_module *trace_new_module(uint32_t *id)
{
    uint32_t extent = next_module / GM_MODULES_PER_EXTENT;
    if (extent >= MODULE_EXTENTS)
        return NULL;
    if (!module_extents[extent]) {
        struct gm_extent *added = extent_add(GM_EXTENT_MODULES, (uint64_t)extent * GM_MODULES_PER_EXTENT,
                                             GM_MODULES_PER_EXTENT, sizeof(struct gm_module));
        if (!added)
            return NULL;
        module_extents[extent] = (struct gm_module *)(added + 1);
    }
    *id = next_module++;
    return trace_module(*id);
}

void trace_publish_module(uint32_t id) { gm_store_release_u64(&trace_header()->module_count, (uint64_t)id + 1); }

struct gm_module *trace_module(uint32_t id)
{
    return &module_extents[id / GM_MODULES_PER_EXTENT][id % GM_MODULES_PER_EXTENT];
}

struct gm_extent *trace_new_counters(uint32_t shard, uint32_t extent_number)
{
    struct gm_extent *cells = (struct gm_extent *)cell_extents[extent_number] - 1;
    uint64_t payload = GM_CELLS_PER_EXTENT / GM_CELLS_PER_DIRTY_BYTE + GM_CELLS_PER_EXTENT * sizeof(struct gm_counter);
    gm_lock(&trace_file, thread_id());
    struct gm_extent *extent = gm_extent_add(&trace_file, GM_EXTENT_COUNTERS, (uint64_t)extent_number * GM_CELLS_PER_EXTENT,
                                             GM_CELLS_PER_EXTENT, sizeof(struct gm_counter), payload, shard);
    if (extent) {
        extent->next = cells->counters;
        cells->counters = (uint64_t)((uint8_t *)extent - trace_file.base);
        if (trace_header()->shard_count <= shard)
            gm_store_release_u32(&trace_header()->shard_count, shard + 1);
    }
    gm_unlock(&trace_file);
    return extent;
}
