/* SPDX-License-Identifier: MIT
 *
 * actor: does what its arguments say, word by word, so that a test writes the program it needs in one line.
 *
 *   repeat N … end     does the words between N times (may be nested)
 *   leak               keeps one record of 48 bytes for ever
 *   leak-every N       the same, in every Nth call of this word
 *   cache N            keeps the newest N pages of 1000 bytes and drops the oldest
 *   once               keeps 10,000 bytes the first time, and nothing after
 *   climb N            keeps one record of 48 bytes at each of N depths: N call sites
 *   churn N            allocates and frees N blocks
 *   mark LABEL         ends a generation (nothing when not recorded)
 *   mark-bytes HEX     the same, with any bytes
 *   say TEXT           a line on standard output
 *   complain TEXT      a line on standard error
 *   pid                a line with the process id
 *   wait               reads a line of standard input
 *   fork … end         does the words in a child, and waits for it
 *   exit N, abort, kill
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern void genmark_mark(const char *label) __attribute__((weak));

enum { CACHE_LIMIT = 1024, RECORD_SIZE = 48, PAGE_SIZE = 1000, ONCE_SIZE = 10000 };

static void *volatile kept;

static __attribute__((noinline)) void leak_record(void)
{
    void **record = malloc(RECORD_SIZE);
    *record = (void *)kept;
    kept = record;
}

static __attribute__((noinline)) void cache_page(int limit)
{
    static char *pages[CACHE_LIMIT];
    static int next;
    if (limit > CACHE_LIMIT)
        limit = CACHE_LIMIT;
    free(pages[next % limit]);
    pages[next % limit] = calloc(1, PAGE_SIZE);
    next++;
}

static __attribute__((noinline)) void keep_once(void)
{
    static void *volatile block;
    if (!block)
        block = malloc(ONCE_SIZE);
}

static __attribute__((noinline)) void climb(long depths)
{
    leak_record();
    if (depths > 1)
        climb(depths - 1);
    __asm__ volatile("");      /* no tail call: each depth is a frame */
}

static __attribute__((noinline)) void churn(long count)
{
    for (long i = 0; i < count; i++) {
        void *volatile block = malloc(16 + (size_t)i % 500);
        free(block);
    }
}

static void mark(const char *label)
{
    if (genmark_mark)
        genmark_mark(label);
}

static void mark_bytes(const char *hex)
{
    char label[4096];
    size_t length = strlen(hex) / 2;
    if (length >= sizeof label)
        length = sizeof label - 1;
    for (size_t i = 0; i < length; i++) {
        char digits[3] = { hex[2 * i], hex[2 * i + 1], 0 };
        label[i] = (char)strtol(digits, NULL, 16);
    }
    label[length] = 0;
    mark(label);
}

/* The word after the `end` that belongs to the words from `word` on. */
static char **after_end(char **word)
{
    for (int depth = 0; *word; word++) {
        if (!strcmp(*word, "repeat") || !strcmp(*word, "fork"))
            depth++;
        else if (!strcmp(*word, "end") && depth-- == 0)
            return word + 1;
    }
    return word;
}

static void act(char **word)
{
    char line[256];
    while (*word && strcmp(*word, "end")) {
        const char *verb = *word++;
        if (!strcmp(verb, "leak"))
            leak_record();
        else if (!strcmp(verb, "once"))
            keep_once();
        else if (!strcmp(verb, "pid"))
            printf("%ld\n", (long)getpid()), fflush(stdout);
        else if (!strcmp(verb, "wait")) {
            if (read(0, line, sizeof line) <= 0)
                return;
        } else if (!strcmp(verb, "abort"))
            abort();
        else if (!strcmp(verb, "kill"))
            kill(getpid(), SIGKILL);
        else if (!*word) {
            fprintf(stderr, "actor: %s needs a word\n", verb);
            exit(3);
        } else if (!strcmp(verb, "repeat")) {
            for (long n = atol(*word); n > 0; n--)
                act(word + 1);
            word = after_end(word + 1);
        } else if (!strcmp(verb, "fork")) {
            pid_t child = fork();
            if (child == 0) {
                act(word);
                exit(0);
            }
            waitpid(child, NULL, 0);
            word = after_end(word);
        } else if (!strcmp(verb, "leak-every")) {
            static long calls;
            if (++calls % atol(*word++) == 0)
                leak_record();
        } else if (!strcmp(verb, "cache"))
            cache_page(atoi(*word++));
        else if (!strcmp(verb, "climb"))
            climb(atol(*word++));
        else if (!strcmp(verb, "churn"))
            churn(atol(*word++));
        else if (!strcmp(verb, "mark"))
            mark(*word++);
        else if (!strcmp(verb, "mark-bytes"))
            mark_bytes(*word++);
        else if (!strcmp(verb, "say"))
            puts(*word++), fflush(stdout);
        else if (!strcmp(verb, "complain"))
            fprintf(stderr, "%s\n", *word++);
        else if (!strcmp(verb, "exit"))
            exit(atoi(*word));
        else {
            fprintf(stderr, "actor: no word %s\n", verb);
            exit(3);
        }
    }
}

int main(int count, char **words)
{
    act(words + (count > 0));
    return 0;
}
