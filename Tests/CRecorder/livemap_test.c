/* SPDX-License-Identifier: MIT
 *
 * livemap_test.c: the live map on addresses that nobody has: chunks laid out as glibc lays them out, entered and taken against
 * what is known of them, while the tables are swept, in one thread and beside others.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "check.h"

#include "livemap.h"
#include "os.h"
#include "recorder.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    MIB = 1 << 20,
    HEAD = 16,                         /* bytes of a chunk before its block */
    THREADS = 3,
    ROUNDS = 6
};
static const uintptr_t FIRST_ADDRESS = 0x200000000000;

struct heap {
    uintptr_t start;
    size_t size;
    uint64_t random;
    size_t least, most;                /* of chunks */
    uint32_t *cells;                   /* by 16 bytes of heap; 0: no block there */
    uint16_t *usable;
    unsigned mistakes;
};

static uint64_t draw(struct heap *heap, uint64_t below)
{
    heap->random ^= heap->random << 13;
    heap->random ^= heap->random >> 7;
    heap->random ^= heap->random << 17;
    return heap->random % below;
}

static void heap_new(struct heap *heap, uintptr_t start, size_t size, size_t least, size_t most)
{
    *heap = (struct heap){.start = start, .size = size, .random = 88172645463325252ull + start / MIB, .least = least, .most = most,
                          .cells = calloc(size / 16, sizeof(uint32_t)), .usable = calloc(size / 16, sizeof(uint16_t))};
}

static void heap_end(struct heap *heap)
{
    CHECK_EQUAL(heap->mistakes, 0);
    free(heap->cells);
    free(heap->usable);
}

static void put(struct heap *heap, uintptr_t address, size_t usable)
{
    size_t i = (address - heap->start) / 16;
    heap->cells[i] = 1 + (uint32_t)draw(heap, LIVEMAP_CELL_LIMIT - 1);
    heap->usable[i] = (uint16_t)usable;
    heap->mistakes += !livemap_put((void *)address, heap->cells[i], usable - heap->cells[i] % 24, usable, true);
}

static void take(struct heap *heap, uintptr_t address)
{
    size_t i = (address - heap->start) / 16, aside = 0;
    uint32_t slack, cell = livemap_take((void *)address, &slack, &aside);
    size_t size = slack == LIVEMAP_SLACK_ASIDE ? aside : heap->usable[i] - slack;
    heap->mistakes += cell != heap->cells[i] || size != heap->usable[i] - heap->cells[i] % 24;
    heap->cells[i] = 0;
}

/* Chunks from end to end, then all of them away again in another order; between, some go and come back. */
static void live(struct heap *heap, bool sweeps)
{
    uintptr_t end = heap->start + heap->size;
    for (uintptr_t chunk = heap->start; chunk + heap->most <= end;) {
        size_t size = heap->least + draw(heap, (heap->most - heap->least) / 16 + 1) * 16;
        put(heap, chunk + HEAD, size - sizeof(size_t));
        chunk += size;
    }
    for (size_t i = 0; i < heap->size / 16; i++)
        if (heap->cells[i] != 0 && draw(heap, 4) == 0) {
            take(heap, heap->start + 16 * i);
            put(heap, heap->start + 16 * i, heap->usable[i]);
        }
    for (unsigned half = 0; half < 2; half++)
        for (size_t i = 0; i < heap->size / 16; i++) {
            if (heap->cells[i] != 0 && (half == 1 || draw(heap, 2) == 0))
                take(heap, heap->start + 16 * i);
            if (sweeps && i % 65536 == 0)
                livemap_sweep();
        }
}

/* Not under qemu-user, and not before Linux 5.7: then nothing is given back, and pages can not be counted. */
static bool can_sweep(void)
{
    uint8_t resident;
    void *page = os_map(OS_PAGE), *moved = page ? os_move_pages(page, OS_PAGE) : NULL;
    bool can = moved && os_resident(page, OS_PAGE, &resident);
    if (moved)
        os_unmap(moved, OS_PAGE);
    if (page)
        os_unmap(page, OS_PAGE);
    return can;
}
#define CHECK_PAGES(condition) CHECK(!can_sweep() || (condition))

/* Pages of A (table 0) or B (1) in memory for the heap, which lies in one region. */
static unsigned resident_pages(const struct heap *heap, unsigned table)
{
    uint8_t resident[LIVEMAP_PIECES];
    uint32_t *region = livemap_region(heap->start);
    unsigned count = 0;
    if (!region || !os_resident(region + table * LIVEMAP_REGION_ENTRIES, sizeof resident * OS_PAGE, resident))
        return 0;
    for (unsigned i = 0; i < LIVEMAP_PIECES; i++)
        count += resident[i] & 1;
    return count;
}

static void sweep_often(void)
{
    for (int i = 0; i < 200; i++)
        livemap_sweep();
}

static void test_swept(void)
{
    struct heap heap;
    heap_new(&heap, FIRST_ADDRESS, 32 * MIB, 32, 96);
    live(&heap, false);
    CHECK_PAGES(resident_pages(&heap, 0) >= 500);
    CHECK_PAGES(resident_pages(&heap, 1) >= 500);
    sweep_often();
    CHECK_PAGES(resident_pages(&heap, 0) == 0);
    CHECK_PAGES(resident_pages(&heap, 1) == 0);
    live(&heap, true);
    /* One block keeps its page, and is not lost. */
    put(&heap, heap.start + HEAD, 40);
    sweep_often();
    CHECK_PAGES(resident_pages(&heap, 0) + resident_pages(&heap, 1) <= 2 * LIVEMAP_PIECES / 16);
    take(&heap, heap.start + HEAD);
    heap_end(&heap);
}

/* A few small blocks everywhere do not touch all of B. */
static void test_few_small(void)
{
    struct heap heap;
    heap_new(&heap, FIRST_ADDRESS + 64 * MIB, 32 * MIB, 32, 512);
    uintptr_t end = heap.start + heap.size;
    for (uintptr_t chunk = heap.start; chunk + heap.most <= end;) {
        size_t size = heap.least + draw(&heap, (heap.most - heap.least) / 16 + 1) * 16;
        put(&heap, chunk + HEAD, size - sizeof(size_t));
        chunk += size;
    }
    CHECK_PAGES(resident_pages(&heap, 0) >= 500);
    CHECK_PAGES(resident_pages(&heap, 1) <= 100);
    for (size_t i = 0; i < heap.size / 16; i++)
        if (heap.cells[i] != 0)
            take(&heap, heap.start + 16 * i);
    heap_end(&heap);
}

static int at_work;

static void *sweep_on(void *unused)
{
    (void)unused;
    while (__atomic_load_n(&at_work, __ATOMIC_ACQUIRE) > 0)
        livemap_sweep();
    return NULL;
}

static void *work(void *argument)
{
    for (int i = 0; i < ROUNDS; i++)
        live(argument, true);
    __atomic_fetch_sub(&at_work, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* Heaps of several threads in one region, while another thread sweeps all the time. */
static void test_swept_beside_others(void)
{
    static struct heap heaps[THREADS];
    pthread_t threads[THREADS + 1];
    at_work = THREADS;
    for (unsigned i = 0; i < THREADS; i++)
        heap_new(&heaps[i], FIRST_ADDRESS + (128 + 2 * i) * MIB, 2 * MIB, 32, 160);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &heaps[i]);
    pthread_create(&threads[THREADS], NULL, sweep_on, NULL);
    for (unsigned i = 0; i <= THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < THREADS; i++)
        heap_end(&heaps[i]);
}

static void pause_for(unsigned turns)
{
    for (volatile unsigned i = 0; i < turns; i++)
        continue;
}

/* A block now and then, not for long: its page is empty when it is looked at, and not any more when it is moved. */
static void *flicker(void *argument)
{
    enum { TURNS = 200000, PAUSE = 500 };
    struct heap *heap = argument;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        uintptr_t block = heap->start + 64 * draw(heap, heap->size / 64) + HEAD;
        put(heap, block, 40);
        pause_for(PAUSE);
        take(heap, block);
        pause_for(PAUSE);
    }
    __atomic_fetch_sub(&at_work, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void test_put_back(void)
{
    static struct heap heap;
    pthread_t threads[2];
    at_work = 1;
    heap_new(&heap, FIRST_ADDRESS + 192 * MIB, 64 << 10, 32, 64);
    pthread_create(&threads[0], NULL, flicker, &heap);
    pthread_create(&threads[1], NULL, sweep_on, NULL);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    heap_end(&heap);
}

int main(void)
{
    recorder_sizes_by_header = true;
    CHECK(livemap_start());
    test_swept();
    test_few_small();
    test_swept_beside_others();
    test_put_back();
    return CHECK_REPORT();
}
