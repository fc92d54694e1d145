/* SPDX-License-Identifier: MIT
 *
 * recorder_test.c: blocks, cells, marks and their history against a model kept beside them, on a real trace file. Stacks come
 * from here (unwind and module are stood in for), so that call sites are what the test says; the real unwinder
 * has unwind_test.c.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "check.h"

#include "genmark_trace_access.h"
#include "module.h"
#include "output.h"
#include "recorder.h"
#include "settings.h"
#include "thread.h"
#include "trace.h"
#include "unwind_cfi.h"
#include "unwind_libunwind.h"
#include "unwind.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A stack of two frames: a common outer one, and the call site that the test names. */
struct unwind_stack {
    uint64_t addresses[2];
    uint64_t paths[2];
    uint32_t nodes[2];
    struct unwind_leaf leaf;
    uint64_t leaf_address;         /* whose leaf that is */
};
static __thread uint64_t site_address = 0x20000;

size_t unwind_stack_size(void) { return sizeof(struct unwind_stack); }
bool unwind_start(bool verify, uint32_t max_depth) { (void)verify, (void)max_depth; return true; }
void unwind_walk(struct unwind_stack *stack, uintptr_t pc, uintptr_t sp, uintptr_t bp, struct unwind_walk *walk)
{
    (void)pc, (void)sp, (void)bp;
    stack->addresses[0] = 0x10000;
    stack->addresses[1] = site_address;
    *walk = (struct unwind_walk){.addresses = stack->addresses, .paths = stack->paths, .nodes = stack->nodes, .count = 2};
}
void unwind_remember(struct unwind_stack *stack, const struct unwind_walk *walk, struct unwind_leaf leaf)
{
    (void)walk;
    stack->leaf = leaf;
    stack->leaf_address = site_address;
}
struct unwind_leaf *unwind_known(struct unwind_stack *stack, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
    (void)pc, (void)sp, (void)bp;
    return stack->leaf.node != 0 && stack->leaf_address == site_address ? &stack->leaf : NULL;
}
bool unwind_verify(const struct unwind_walk *walk, uintptr_t pc, uintptr_t sp, uintptr_t bp)
{
    (void)walk, (void)pc, (void)sp, (void)bp;
    return true;
}
void unwind_forget(uintptr_t start, uintptr_t end) { (void)start, (void)end; }
void unwind_reset(struct unwind_stack *stack) { memset(stack, 0, sizeof *stack); }
void unwind_after_fork(void) {}
void unwind_closing(bool begins) { (void)begins; }
bool (*unwind_recheck)(uintptr_t address);
void libunwind_confine(void) {}
bool unwind_can_read(uintptr_t address) { return address != 0; }
bool module_find(uintptr_t address, struct module_tables *tables) { (void)address, (void)tables; return false; }
void module_scan(void) {}
void module_sweep(void (*gone)(uint32_t, uintptr_t, uintptr_t)) { (void)gone; }
bool module_recheck(uintptr_t address, void (*gone)(uint32_t module, uintptr_t start, uintptr_t end)) { (void)address, (void)gone; return false; }
void module_forget_all(void) {}

/* The allocator below: blocks are places in an array that nobody writes to; usable sizes as glibc's. */
static size_t usable(void *block) { return *(size_t *)block; }

static uint64_t random_state = 88172645463325252ull;
static uint64_t draw(uint64_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % below;
}

static void *block_new(size_t size, uint64_t site)
{
    size_t room = size + draw(24);
    size_t *block = NULL;
    CHECK(posix_memalign((void **)&block, 16, sizeof(size_t) + room) == 0);
    *block = room;
    site_address = 0x20000 + 16 * site;
    recorder_born(block, size, RECORDER_CALLER());
    return block;
}

static void block_free(void *block)
{
    recorder_freed(block);
    free(block);
}

/* Reading the trace back. */

static struct gm_header *header(void) { return (struct gm_header *)trace_file.base; }

static struct gm_counter sum_counters(uint32_t id)
{
    struct gm_counter sum = {0, 0, 0, 0};
    for (unsigned s = 0; s < thread_shards(); s++) {
        uint8_t *counters = thread_shard_counters(s, id / GM_CELLS_PER_EXTENT);
        if (!counters)
            continue;
        struct gm_counter *part = (struct gm_counter *)(counters + 64) + id % GM_CELLS_PER_EXTENT;
        sum.born_blocks += part->born_blocks;
        sum.born_bytes += part->born_bytes;
        sum.freed_blocks += part->freed_blocks;
        sum.freed_bytes += part->freed_bytes;
    }
    return sum;
}

static uint64_t site_of(const struct gm_cell *cell) { return (trace_node(cell->site)->address - 0x20000) / 16; }

static struct gm_bank *bank(void)
{
    return (struct gm_bank *)(trace_file.base + header()->bank + GM_EXTENT_HEADER_SIZE);
}
static struct gm_mark *marks(void) { return (struct gm_mark *)(bank() + 1); }
static struct gm_change *changes(void) { return (struct gm_change *)(marks() + bank()->mark_capacity); }

/* The model: live blocks and bytes by site and generation, now and at each mark. */
enum { SITES = 7, GENERATIONS = 60 };
struct live { int64_t blocks, bytes; };
static struct live now_live[SITES][GENERATIONS];
static struct live mark_live[GENERATIONS][SITES][GENERATIONS];
static struct live mark_born[GENERATIONS];

static void history_matches_model(unsigned mark_count)
{
    static struct live seen[SITES][GENERATIONS];
    memset(seen, 0, sizeof seen);
    unsigned wrong = 0;
    CHECK_EQUAL(bank()->mark_count, mark_count);
    for (unsigned m = 0; m < mark_count; m++) {
        struct gm_mark *mark = &marks()[m];
        int64_t blocks = 0;
        for (uint32_t c = 0; c < mark->change_count; c++) {
            struct gm_change *change = &changes()[mark->first_change + c];
            struct live *live = &seen[site_of(trace_cell(change->cell))][change->birth];
            live->blocks = (int64_t)change->live_blocks;
            live->bytes = (int64_t)change->live_bytes;
        }
        for (unsigned s = 0; s < SITES; s++)
            for (unsigned g = 0; g < GENERATIONS; g++) {
                wrong += seen[s][g].blocks != mark_live[m][s][g].blocks || seen[s][g].bytes != mark_live[m][s][g].bytes;
                blocks += mark_live[m][s][g].blocks;
            }
        CHECK_EQUAL(mark->live_blocks, blocks);
        CHECK_EQUAL(mark->born_blocks, mark_born[m].blocks);
        CHECK_EQUAL(mark->generation, m + 1);
    }
    CHECK_EQUAL(wrong, 0);
}

struct kept { void *block; size_t size; unsigned site, birth; };

static void random_life(void)
{
    enum { SLOTS = 500, STEPS = 400 };
    static struct kept kept[SLOTS];
    struct live born = {0, 0};
    for (unsigned generation = 0; generation < GENERATIONS - 1; generation++) {
        for (unsigned step = 0; step < STEPS; step++) {
            struct kept *slot = &kept[draw(SLOTS)];
            uint64_t what = draw(4);
            if (slot->block && what == 0) {          /* grows or shrinks in place, keeps its birth */
                size_t size = draw(*(size_t *)slot->block + 1);
                struct recorder_taken taken = recorder_take(slot->block);
                CHECK_EQUAL(taken.size, slot->size);
                recorder_put(slot->block, size, taken);
                now_live[slot->site][slot->birth].bytes += (int64_t)size - (int64_t)slot->size;
                slot->size = size;
            } else if (slot->block) {
                block_free(slot->block);
                now_live[slot->site][slot->birth].blocks--;
                now_live[slot->site][slot->birth].bytes -= (int64_t)slot->size;
                slot->block = NULL;
            } else {
                /* Site 0 only in every fifth generation: cells that stay idle for long. */
                unsigned site = (unsigned)draw(SITES);
                if (site == 0 && generation % 5 != 0)
                    continue;
                *slot = (struct kept){NULL, draw(300), site, generation};
                slot->block = block_new(slot->size, site);
                now_live[site][generation].blocks++;
                now_live[site][generation].bytes += (int64_t)slot->size;
                born.blocks++;
            }
        }
        memcpy(mark_live[generation], now_live, sizeof now_live);
        mark_born[generation] = born;
        CHECK(recorder_mark("cycle", 5));
    }
    history_matches_model(GENERATIONS - 1);

    /* Final counts, by the cells themselves. */
    struct live cells[SITES][GENERATIONS];
    memset(cells, 0, sizeof cells);
    for (uint32_t id = 1; id < header()->cell_count; id++) {
        struct gm_counter sum = sum_counters(id);
        struct live *live = &cells[site_of(trace_cell(id))][trace_cell(id)->birth];
        live->blocks += (int64_t)(sum.born_blocks - sum.freed_blocks);
        live->bytes += (int64_t)(sum.born_bytes - sum.freed_bytes);
    }
    CHECK(memcmp(cells, now_live, sizeof cells) == 0);
    /* A site whose blocks die is not given a cell for every generation: as many as have lived at once, and a few. */
    CHECK(header()->cell_count < SITES * GENERATIONS);
    for (unsigned i = 0; i < SLOTS; i++)
        if (kept[i].block)
            block_free(kept[i].block);
    memset(kept, 0, sizeof kept);
}

/* Many more marks than are kept: one block leaks in each generation, one lives for ten, one dies at once. */
static void long_history(unsigned count)
{
    enum { YOUNG = 10 };
    void *young[YOUNG] = {0};
    void **leaked = calloc(count, sizeof *leaked);
    uint32_t first = header()->generation;
    for (unsigned i = 0; i < count; i++) {
        leaked[i] = block_new(40, 1);
        block_free(block_new(100, 2));
        if (young[i % YOUNG])
            block_free(young[i % YOUNG]);
        young[i % YOUNG] = block_new(60, 3);
        recorder_mark("turn", 4);
    }
    CHECK_EQUAL(header()->generation, first + count);
    CHECK(bank()->mark_count <= bank()->mark_capacity);
    uint64_t kept = 0, stands_for = 0, live = 0, records = 0;
    for (uint64_t m = 0; m < bank()->mark_count; m++) {
        struct gm_mark *mark = &marks()[m];
        if (mark->flags & GM_MARK_DROPPED)
            continue;
        kept++;
        stands_for += mark->merged;
        records += mark->change_count;
        live = mark->live_blocks;
        CHECK((mark->flags & GM_MARK_CHANGES_LOST) == 0);
    }
    CHECK_EQUAL(stands_for, first + count);
    CHECK(kept <= 4096 + 1);
    CHECK(records < 256 * 1024);
    CHECK_EQUAL(live, count + YOUNG);

    /* Replaying what is kept gives what is alive, by birth as far as births are still told apart. */
    uint64_t cell_count = header()->cell_count;
    struct gm_change *state = calloc(cell_count, sizeof *state);
    for (uint64_t m = 0; m < bank()->mark_count; m++)
        for (uint32_t c = 0; c < marks()[m].change_count && !(marks()[m].flags & GM_MARK_DROPPED); c++) {
            struct gm_change *change = &changes()[marks()[m].first_change + c];
            if (change->birth >= state[change->cell].birth)
                state[change->cell] = *change;
        }
    uint64_t replayed = 0, mismatched = 0;
    for (uint32_t id = 1; id < cell_count; id++) {
        struct gm_counter sum = sum_counters(id);
        replayed += state[id].live_blocks;
        mismatched += state[id].live_blocks != sum.born_blocks - sum.freed_blocks;
    }
    CHECK_EQUAL(replayed, count + YOUNG);
    CHECK_EQUAL(mismatched, 0);
    printf("  %u marks: %llu kept, %llu changes, %llu cells, %llu bytes\n", count, (unsigned long long)kept,
           (unsigned long long)records, (unsigned long long)cell_count, (unsigned long long)header()->used);
    CHECK(header()->used < 32u << 20);
    for (unsigned i = 0; i < count; i++)
        block_free(leaked[i]);
    for (unsigned i = 0; i < YOUNG; i++)
        block_free(young[i]);
    free(leaked);
    free(state);
}

/* Threads that allocate at one site and free each other's blocks, while marks are taken. */
enum { THREADS = 4, EACH = 20000, EXCHANGE = 256 };
static void *_Atomic exchange[EXCHANGE];

static void *hammer(void *argument)
{
    uint64_t state = (uintptr_t)argument * 2654435761u + 1;
    for (unsigned i = 0; i < EACH; i++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        size_t *block = NULL;
        if (posix_memalign((void **)&block, 16, 64) != 0)
            return NULL;
        *block = 50;
        site_address = 0x20000 + 16 * (state >> 60 & 1);
        recorder_born(block, 48, RECORDER_CALLER());
        void *other = __atomic_exchange_n(&exchange[state >> 33 & (EXCHANGE - 1)], block, __ATOMIC_ACQ_REL);
        if (other)
            block_free(other);
    }
    return NULL;
}

static void threads_and_marks(void)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, hammer, (void *)(i + 1)) == 0);
    for (int i = 0; i < 50; i++) {
        recorder_mark("busy", 4);
        usleep(500);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    recorder_mark("joined", 6);
    uint64_t in_exchange = 0, live = 0;
    for (int i = 0; i < EXCHANGE; i++)
        in_exchange += exchange[i] != NULL;
    for (uint32_t id = 1; id < header()->cell_count; id++) {
        struct gm_counter sum = sum_counters(id);
        live += sum.born_blocks - sum.freed_blocks;
    }
    CHECK_EQUAL(live, in_exchange);
    CHECK_EQUAL(marks()[bank()->mark_count - 1].live_blocks, in_exchange);
    for (int i = 0; i < EXCHANGE; i++)
        if (exchange[i])
            block_free(exchange[i]);
}

/* What the shadow tables have no place for. */
static void odd_blocks(void)
{
    static _Alignas(64) char room[4096];
    uint64_t foreign = header()->foreign_frees;
    static const struct { unsigned at; size_t size, usable; } odd[] = {
        {8, 5, 8}, {24, 8, 8}, {64, 10, 10}, {80, 10, 10}, {96, 1, 4000}, {112, 0, 0}, {128, 1, 31}, {144, 1, 32}, {160, 1, 33},
    };
    enum { COUNT = sizeof odd / sizeof odd[0] };
    for (unsigned i = 0; i < COUNT; i++) {
        *(size_t *)(room + odd[i].at) = odd[i].usable;
        recorder_born(room + odd[i].at, odd[i].size, RECORDER_CALLER());
    }
    for (unsigned i = 0; i < COUNT; i++) {
        *(size_t *)(room + odd[i].at) = odd[i].usable;
        struct recorder_taken taken = recorder_take(room + odd[i].at);
        CHECK(taken.cell != 0);
        CHECK_EQUAL(taken.size, odd[i].size);
        recorder_put(room + odd[i].at, odd[i].size, taken);
    }
    /* The same address given out again although nobody freed it: the old block is counted as gone. */
    *(size_t *)(room + 64) = 10;
    recorder_born(room + 64, 9, RECORDER_CALLER());
    for (unsigned i = 0; i < COUNT; i++) {
        *(size_t *)(room + odd[i].at) = odd[i].usable;
        recorder_freed(room + odd[i].at);
    }
    CHECK_EQUAL(header()->foreign_frees, foreign);
    recorder_freed(room + 64);
    recorder_freed(room + 3000);
    CHECK_EQUAL(header()->foreign_frees, foreign + 2);
    uint64_t live = 0;
    for (uint32_t id = 1; id < header()->cell_count; id++)
        live += sum_counters(id).born_blocks - sum_counters(id).freed_blocks;
    CHECK_EQUAL(live, 0);
}

static void labels(void)
{
    char text[2000];
    memset(text, 'n', sizeof text);
    uint64_t before = header()->label_count;
    recorder_mark(text, 1500);
    recorder_mark(text, 1999);
    recorder_mark(text, 1500);
    recorder_mark("", 0);
    CHECK_EQUAL(header()->label_count, before + 3);
    CHECK_EQUAL(marks()[bank()->mark_count - 2].ordinal, 2);
}

int main(int argc, char **argv)
{
    (void)argc, (void)argv;
    snprintf(settings.output, sizeof settings.output, "/tmp/recorder_test.%d.genmark", (int)getpid());
    output_start(NULL);
    recorder_usable_size = usable;
    recorder_start();
    if (!recorder_is_active()) {
        fprintf(stderr, "recording did not begin\n");
        return 1;
    }
    random_life();
    labels();
    odd_blocks();
    threads_and_marks();
    long_history(30000);
    for (int kind = 0; kind < GM_LOSS_KINDS; kind++)
        CHECK_EQUAL(header()->losses[kind], 0);
    recorder_ended(GM_END_EXIT, 0);
    CHECK_EQUAL(header()->end_kind, GM_END_EXIT);
    CHECK(unlink(settings.output) == 0);
    return CHECK_REPORT();
}
