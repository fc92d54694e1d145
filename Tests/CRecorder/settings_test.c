/* SPDX-License-Identifier: MIT
 *
 * settings_test.c: every kind of value, read and refused; the table's defaults; the environment as the only source.
 */
#include "check.h"

#include "settings.h"
#include "text.h"

#include <signal.h>
#include <string.h>

static const struct settings_row *row(const char *name)
{
    for (size_t i = 0; i < settings_row_count; i++)
        if (strcmp(settings_rows[i].name, name) == 0)
            return &settings_rows[i];
    return NULL;
}

static void test_defaults(void)
{
    CHECK(settings.output[0] == '\0' && !settings.follow && !settings.quiet && !settings.verify && !settings.run);
    CHECK_EQUAL(settings.mark_signal, 0);
    CHECK_EQUAL(settings.max_memory, 1ll << 30);
    CHECK_EQUAL(settings.max_depth, 1024);
    for (size_t i = 0; i < settings_row_count; i++)
        CHECK(text_starts(settings_rows[i].name, "GENMARK_"));
}

static void test_flags(void)
{
    struct settings read = {0};
    const struct settings_row *follow = row("GENMARK_FOLLOW");
    static const char *const on[] = {"1", "yes", "TRUE", "On"}, *const off[] = {"0", "no", "false", "OFF"};
    for (size_t i = 0; i < 4; i++) {
        read.follow = false;
        CHECK(settings_parse(follow, on[i], &read) && read.follow);
        CHECK(settings_parse(follow, off[i], &read) && !read.follow);
    }
    read.follow = true;
    CHECK(settings_parse(follow, "", &read) && read.follow);
    static const char *const wrong[] = {"2", "yess", "tru", " 1", "01"};
    for (size_t i = 0; i < 5; i++)
        CHECK(!settings_parse(follow, wrong[i], &read) && read.follow);
}

static void test_sizes(void)
{
    static const struct { const char *text; unsigned long long bytes; } right[] = {
        {"1048576", 1ull << 20}, {"1048576B", 1ull << 20}, {"256MiB", 256ull << 20}, {"256M", 256ull << 20},
        {"256m", 256ull << 20},  {"2 GiB", 2ull << 30},    {"2G", 2ull << 30},       {"3gb", 3000000000ull},
        {"1500kB", 1500000},     {"2048KiB", 2ull << 20},  {"1TiB", 1ull << 40},     {"0001MiB", 1ull << 20},
    };
    static const char *const wrong[] = {"12", "-1", "1.5GiB", "GiB", "1GiBs", "2TiB", "18446744073709551616", "99999999999999999999G",
                                        "18446744073709551615T", "0x100000", "1  MiB", "+1048576", "1e9"};
    struct settings read = {0};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        read.max_memory = 0;
        CHECK(settings_parse(row("GENMARK_MAX_MEMORY"), right[i].text, &read));
        CHECK_EQUAL(read.max_memory, right[i].bytes);
    }
    read.max_memory = 7;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!settings_parse(row("GENMARK_MAX_MEMORY"), wrong[i], &read) && read.max_memory == 7);
}

static void test_counts(void)
{
    struct settings read = {0};
    CHECK(settings_parse(row("GENMARK_MAX_DEPTH"), "1", &read) && read.max_depth == 1);
    CHECK(settings_parse(row("GENMARK_MAX_DEPTH"), "1024", &read) && read.max_depth == 1024);
    static const char *const wrong[] = {"0", "1025", "10K", "ten", "4294967297", "18446744073709551617"};
    for (size_t i = 0; i < 6; i++)
        CHECK(!settings_parse(row("GENMARK_MAX_DEPTH"), wrong[i], &read) && read.max_depth == 1024);
}

static void test_signals(void)
{
    static const struct { const char *text; int number; } right[] = {
        {"USR1", SIGUSR1}, {"SIGUSR1", SIGUSR1}, {"sigusr2", SIGUSR2}, {"10", 10},       {"HUP", SIGHUP},
        {"RTMIN", 34},     {"RTMIN+3", 37},      {"SIGRTMAX-1", 63},   {"RTMAX", 64},    {"64", 64},
    };
    static const char *const wrong[] = {"KILL", "9", "SIGSEGV", "11", "STOP", "19", "0", "65", "32", "33", "RTMIN-1", "RTMAX+1",
                                        "RTMIN+31", "USR3", "SIG", "RTMIN+", "10x", "-10"};
    struct settings read = {0};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        read.mark_signal = 0;
        CHECK(settings_parse(row("GENMARK_MARK_SIGNAL"), right[i].text, &read));
        CHECK_EQUAL(read.mark_signal, right[i].number);
    }
    read.mark_signal = 5;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!settings_parse(row("GENMARK_MARK_SIGNAL"), wrong[i], &read) && read.mark_signal == 5);
}

static void test_texts(void)
{
    static struct settings read;
    static char longest[SETTINGS_TEXT_SIZE], longer[SETTINGS_TEXT_SIZE + 1];
    memset(longest, 'a', sizeof longest - 1);
    memset(longer, 'b', sizeof longer - 1);
    CHECK(settings_parse(row("GENMARK_OUTPUT"), longest, &read) && strcmp(read.output, longest) == 0);
    CHECK(!settings_parse(row("GENMARK_OUTPUT"), longer, &read) && strcmp(read.output, longest) == 0);
}

static void test_environment(void)
{
    char *environment[] = {"GENMARK_OUTPUTS=wrong", "XGENMARK_OUTPUT=wrong", "GENMARK_OUTPUT", "GENMARK_MAX_DEPTH=77",
                           "GENMARK_OUTPUT=first=1", "GENMARK_OUTPUT=second", "GENMARK_QUIET=1", "GENMARK_FOLLOW=maybe", NULL};
    CHECK(settings_find(NULL, "GENMARK_OUTPUT") == NULL);
    CHECK(settings_find(environment, "GENMARK_RUN") == NULL);
    CHECK(strcmp(settings_find(environment, "GENMARK_OUTPUT"), "first=1") == 0);
    settings_read(environment);
    environment[4] = "GENMARK_OUTPUT=changed later";
    CHECK(strcmp(settings.output, "first=1") == 0 && settings.quiet && !settings.follow);
    CHECK_EQUAL(settings.max_depth, 77);
    char *again[] = {"GENMARK_MAX_DEPTH=5", NULL};
    settings_read(again);
    CHECK_EQUAL(settings.max_depth, 77);
}

int main(void)
{
    test_defaults();
    test_flags();
    test_sizes();
    test_counts();
    test_signals();
    test_texts();
    test_environment();
    return CHECK_REPORT();
}
