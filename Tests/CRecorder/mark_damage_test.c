/* SPDX-License-Identifier: MIT
 *
 * mark_damage_test.c: `genmark mark` writes into files that it did not make. Marks in damaged traces: whatever a field
 * says, nothing outside the mapping is touched and the mark ends. Fields of settings too, damaged at random.
 *
 * GENMARK_FUZZ_COUNT says how many of each (default 20,000), GENMARK_FUZZ_SEED where to begin. Under the address sanitizer
 * every access is checked; plain, what lies before and behind the mapping cannot be touched.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "check.h"

#include "genmark_mark.h"
#include "settings.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { SIZE = 192 * 1024, GUARD = 64 * 1024, MOST_SECONDS = 2 };

static uint64_t seed;
static uint64_t number_at_work;

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
static uint64_t below(uint64_t *state, uint64_t bound) { return next(state) % bound; }

static void took_too_long(int signal)
{
    (void)signal;
    char text[] = "seed 00000000000000000000: a mark does not end\n";
    uint64_t number = number_at_work;
    for (int i = 24; i >= 5; i--, number /= 10)
        text[i] = (char)('0' + number % 10);
    if (write(2, text, sizeof text - 1) < 0)
        _exit(3);
    _exit(2);
}

/* Of processor time, for one input. */
static void start_clock(void)
{
    struct itimerval limit = {{0, 0}, {MOST_SECONDS, 0}};
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

/* A mapping with nothing around it. */
static uint8_t *guarded(void)
{
    uint8_t *start = mmap(NULL, SIZE + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED || mprotect(start + GUARD, SIZE, PROT_READ | PROT_WRITE) != 0)
        abort();
    return start + GUARD;
}

static struct gm_header *header_of(struct gm_file *file) { return (struct gm_header *)file->base; }

/* A trace with cells in two shards, marks with three labels, and history. */
static void build(struct gm_file *file)
{
    const struct gm_sample sample = {.time_ns = 5, .rss_bytes = 1 << 20, .threads = 2};
    struct gm_header *header = header_of(file);
    CHECK(gm_trace_begin(file, 1));
    struct gm_extent *cells = gm_extent_add(file, GM_EXTENT_CELLS, 0, GM_CELLS_PER_EXTENT, sizeof(struct gm_cell),
                                            GM_CELLS_PER_EXTENT * sizeof(struct gm_cell), 0);
    CHECK(cells != NULL);
    if (!cells)
        return;
    header->first_cells = header->last_cells = (uint64_t)((uint8_t *)cells - file->base);
    header->cell_count = 40;
    for (uint32_t shard = 0; shard < 2; shard++) {
        struct gm_extent *counters = gm_extent_add(file, GM_EXTENT_COUNTERS, 0, GM_CELLS_PER_EXTENT, sizeof(struct gm_counter),
                                                   64 + GM_CELLS_PER_EXTENT * sizeof(struct gm_counter), shard);
        CHECK(counters != NULL);
        if (!counters)
            return;
        counters->next = cells->counters;
        cells->counters = (uint64_t)((uint8_t *)counters - file->base);
    }
    for (int round = 0; round < 6; round++) {
        for (uint64_t at = cells->counters; at; at = ((struct gm_extent *)(file->base + at))->next) {
            uint8_t *dirty = file->base + at + GM_EXTENT_HEADER_SIZE;
            struct gm_counter *counters = (struct gm_counter *)(dirty + 64);
            for (int i = 1 + round; i < 40; i += 3) {
                counters[i].born_blocks += 2;
                counters[i].born_bytes += 64;
                dirty[i / GM_CELLS_PER_DIRTY_BYTE] = 1;
            }
        }
        static const char *const labels[] = {"cycle", "push", "pop"};
        CHECK(gm_mark_take(file, labels[round % 3], strlen(labels[round % 3]), &sample, 1) == (uint32_t)round + 1);
    }
    header->magic = GM_MAGIC;
}

/* Gives words of the header, of extents and of what they hold values that lead somewhere. */
static void damage(uint8_t *bytes, uint64_t used, uint64_t *state)
{
    static const uint64_t edges[] = {0, 1, 63, 64, 255, 4095, 4096, SIZE, SIZE - 64, SIZE + 64, 1ull << 31, 0xffffffff, 1ull << 32,
                                     1ull << 47, 1ull << 63, UINT64_MAX, UINT64_MAX - 63};
    uint64_t pieces = 1 + below(state, 4);
    while (pieces-- > 0) {
        uint64_t width = below(state, 3) == 0 ? 4 : 8, at;
        switch (below(state, 4)) {
        case 0: at = below(state, 576); break;
        case 1: {
            /* The head of an extent, or what it begins with. */
            uint64_t offset = GM_HEADER_SIZE, wanted = below(state, 8);
            while (wanted-- > 0 && offset + 64 < used) {
                const struct gm_extent *extent = (const struct gm_extent *)(bytes + offset);
                if (extent->magic != GM_EXTENT_MAGIC || extent->size < 64 || extent->size % 64 != 0 || extent->size > used - offset)
                    break;
                offset += extent->size;
            }
            at = offset + below(state, 192);
            break;
        }
        default: at = below(state, used); break;
        }
        at = at / width * width;
        if (at + width > used)
            continue;
        uint64_t value = 0;
        switch (below(state, 4)) {
        case 0: value = edges[below(state, sizeof edges / sizeof edges[0])]; break;
        case 1: value = below(state, used / 64 + 2) * 64; break;
        case 2: value = below(state, 300); break;
        default:
            memcpy(&value, bytes + at, width);
            value += (uint64_t)((int64_t)below(state, 129) - 64);
        }
        memcpy(bytes + at, &value, width);
    }
}

static void test_marks_in_damaged_traces(uint64_t count)
{
    struct gm_file sound = {guarded(), SIZE}, file = {guarded(), SIZE};
    build(&sound);
    uint64_t used = header_of(&sound)->used, taken = 0;
    CHECK(used > GM_HEADER_SIZE && used < SIZE / 2);
    const struct gm_sample sample = {.time_ns = 9};
    char label[1500];
    memset(label, 'l', sizeof label);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t state = number_at_work = seed + i;
        if (i % 64 == 0)
            start_clock();
        memcpy(file.base, sound.base, used);
        memset(file.base + used, 0, i % 64 == 0 ? SIZE - used : 4096);
        damage(file.base, used, &state);
        header_of(&file)->lock = 0;      /* who holds it is waited for: TraceMapping.waitForLock looks before */
        taken += gm_mark_take(&file, "cycle", 5, &sample, 1) != 0;
        taken += gm_mark_take(&file, label, 1 + below(&state, sizeof label), &sample, 1) != 0;
    }
    start_clock();
    CHECK(taken > count / 4);
    CHECK(taken < 2 * count);
    munmap(sound.base - GUARD, SIZE + 2 * GUARD);
    munmap(file.base - GUARD, SIZE + 2 * GUARD);
    printf("%llu damaged traces, %llu of %llu marks taken\n", (unsigned long long)count, (unsigned long long)taken,
           (unsigned long long)(2 * count));
}

static void test_damaged_settings(uint64_t count)
{
    static const char *const texts[] = {"256MiB", "18446744073709551615", "USR1", "SIGRTMIN+3", "RTMAX-30", "yes", "/tmp/%e.%p.genmark",
                                        "1024", "2 GiB", "\xff\xfe", "%", "-1"};
    uint64_t read = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t state = number_at_work = seed + i;
        const char *text = texts[below(&state, sizeof texts / sizeof texts[0])];
        size_t length = strlen(text), size = length + below(&state, 4) + (below(&state, 500) == 0 ? 5000 : 0);
        char *damaged = malloc(size + 1);      /* as long as it is, so that the sanitizer sees who reads on */
        if (!damaged)
            abort();
        for (size_t c = 0; c < size; c++)
            damaged[c] = c < length && below(&state, 8) ? text[c] : (char)(1 + below(&state, 255));
        damaged[size] = '\0';
        struct settings into = settings;
        for (size_t row = 0; row < settings_row_count; row++)
            read += settings_parse(&settings_rows[row], damaged, &into);
        free(damaged);
    }
    CHECK(read > 0);
    printf("%llu damaged settings\n", (unsigned long long)count);
}

int main(void)
{
    const char *asked = getenv("GENMARK_FUZZ_COUNT"), *from = getenv("GENMARK_FUZZ_SEED");
    uint64_t count = asked ? strtoull(asked, NULL, 10) : 20000;
    seed = from ? strtoull(from, NULL, 10) : 1;
    signal(SIGVTALRM, took_too_long);
    test_marks_in_damaged_traces(count);
    test_damaged_settings(count);
    return CHECK_REPORT();
}
