/* SPDX-License-Identifier: MIT
 *
 * output_test.c: the names that are tried for a trace, in order, and that none of them is a file that exists.
 */
#define _GNU_SOURCE 1
#include "check.h"

#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char here[4096];          /* the working directory, real */
static char own[32];             /* our pid */

/* Stands for the file system: these exist, anything below a directory of this list cannot be written. */
static const char *taken[8], *read_only[4];
static unsigned tried;

static int make(const char *path, void *context)
{
    CHECK(context == (void *)taken && path[0] == '/');
    tried++;
    for (unsigned i = 0; read_only[i]; i++)
        if (strncmp(path, read_only[i], strlen(read_only[i])) == 0)
            return -EACCES;
    for (unsigned i = 0; taken[i]; i++)
        if (strcmp(path, taken[i]) == 0)
            return -EEXIST;
    return 0;
}

/* The name made for `pattern`, or the error's name. */
static const char *name_of(const char *pattern)
{
    static char path[OUTPUT_PATH_SIZE];
    tried = 0;
    int error = output_make(pattern, make, taken, path);
    return error == 0 ? path : error == -EACCES ? "EACCES" : error == -ENAMETOOLONG ? "ENAMETOOLONG"
         : error == -EEXIST ? "EEXIST" : error == -ENOENT ? "ENOENT" : "other";
}

/* Text with {here}, {pid} filled in. */
static const char *filled(const char *text)
{
    static char buffers[8][OUTPUT_PATH_SIZE];
    static unsigned next;
    char *to = buffers[next++ % 8], *start = to;
    while (*text) {
        const char *value = strncmp(text, "{here}", 6) == 0 ? here : strncmp(text, "{pid}", 5) == 0 ? own : NULL;
        if (value) {
            to = stpcpy(to, value);
            text = strchr(text, '}') + 1;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    return start;
}

#define CHECK_NAME(pattern, expected)                                                                     \
    do {                                                                                                  \
        const char *got_ = name_of(pattern), *wanted_ = filled(expected);                                 \
        if (strcmp(got_, wanted_) != 0)                                                                   \
            fprintf(stderr, "%s: got %s, must be %s\n", pattern, got_, wanted_);                          \
        CHECK(strcmp(got_, wanted_) == 0);                                                                \
    } while (0)

static void exists(const char *a, const char *b, const char *c)
{
    taken[0] = a;
    taken[1] = b;
    taken[2] = c;
}

static void test_default(void)
{
    CHECK(strcmp(output_program(), "output_test") == 0);
    CHECK_NAME("", "{here}/output_test.{pid}.genmark");
    exists(filled("{here}/output_test.{pid}.genmark"), NULL, NULL);
    CHECK_NAME("", "{here}/output_test.{pid}.2.genmark");
    exists(filled("{here}/output_test.{pid}.genmark"), filled("{here}/output_test.{pid}.2.genmark"), NULL);
    CHECK_NAME("", "{here}/output_test.{pid}.3.genmark");
    exists(NULL, NULL, NULL);

    read_only[0] = here;
    CHECK_NAME("", "/elsewhere/output_test.{pid}.genmark");
    read_only[1] = "/elsewhere";
    CHECK_NAME("", "/tmp/output_test.{pid}.genmark");
    read_only[2] = "/tmp";
    CHECK_NAME("", "EACCES");
    CHECK_EQUAL(tried, 3);
    read_only[0] = read_only[1] = read_only[2] = NULL;
}

static void test_given(void)
{
    CHECK_NAME("app.genmark", "{here}/app.genmark");
    CHECK_NAME("/abs/app.genmark", "/abs/app.genmark");
    CHECK_NAME("/abs/%e-%p.x", "/abs/output_test-{pid}.x");
    CHECK_NAME("/abs/100%%/%q%", "/abs/100%/%q%");

    exists("/abs/app.genmark", NULL, NULL);
    CHECK_NAME("/abs/app.genmark", "/abs/app.{pid}.genmark");
    exists("/abs/app.genmark", filled("/abs/app.{pid}.genmark"), NULL);
    CHECK_NAME("/abs/app.genmark", "/abs/app.{pid}.2.genmark");
    exists(filled("/abs/app.{pid}.genmark"), NULL, NULL);
    CHECK_NAME("/abs/app.%p.genmark", "/abs/app.{pid}.2.genmark");
    exists("/abs/v1.2/app", "/abs/.hidden", NULL);
    CHECK_NAME("/abs/v1.2/app", "/abs/v1.2/app.{pid}");
    CHECK_NAME("/abs/.hidden", "/abs/.hidden.{pid}");
    exists(NULL, NULL, NULL);

    read_only[0] = "/abs";
    CHECK_NAME("/abs/app.genmark", "EACCES");
    CHECK_EQUAL(tried, 1);       /* the user's wish: nowhere else */
    read_only[0] = NULL;
}

static int always_there(const char *path, void *context)
{
    (void)path;
    ++*(unsigned *)context;
    return -EEXIST;
}

static void test_limits(void)
{
    static char pattern[OUTPUT_PATH_SIZE + 10], path[OUTPUT_PATH_SIZE];
    unsigned count = 0;
    CHECK_EQUAL(output_make("/abs/app.genmark", always_there, &count, path), -EEXIST);
    CHECK_EQUAL(count, 1000);
    memset(pattern, 'x', sizeof pattern - 1);
    pattern[0] = '/';
    CHECK_NAME(pattern, "ENAMETOOLONG");
    CHECK_NAME(pattern + 1, "ENAMETOOLONG");
    pattern[2000] = '\0';
    for (unsigned i = 0; i < 1000; i++)
        memcpy(pattern + 1 + 2 * i, "%e", 2);
    CHECK_NAME(pattern, "ENAMETOOLONG");
}

static void test_directory(void)
{
    CHECK(mkdir("sub", 0700) == 0);
    CHECK_NAME("sub", "{here}/sub/output_test.{pid}.genmark");
    CHECK_NAME("sub/", "{here}/sub/output_test.{pid}.genmark");
    CHECK_NAME("missing/", "{here}/missing/output_test.{pid}.genmark");
    CHECK(rmdir("sub") == 0);
}

static void test_time(void)
{
    const char *name = name_of("/abs/%t");
    int year, month, day, hour, minute, second;
    CHECK(sscanf(name, "/abs/%4d%2d%2d-%2d%2d%2d", &year, &month, &day, &hour, &minute, &second) == 6);
    CHECK(strlen(name) == strlen("/abs/20261130-154500"));
    CHECK(year >= 2024 && month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 60);
    CHECK(strlen(name_of("/abs/%h")) > strlen("/abs/") && !strchr(name_of("/abs/%h") + 5, '/'));
}

static void test_moved(void)
{
    char absolute[OUTPUT_PATH_SIZE];
    CHECK(output_absolute("a%p", absolute) && strcmp(absolute, filled("{here}/a%p")) == 0);
    CHECK(output_absolute("/a%p", absolute) && strcmp(absolute, "/a%p") == 0);
    CHECK(chdir("/") == 0);
    CHECK_NAME("app.genmark", "{here}/app.genmark");
    CHECK_NAME("", "{here}/output_test.{pid}.genmark");
}

static void test_odd_directories(void)
{
    char odd[] = "/tmp/genmark-output-XXXXXX", percent[64], path[OUTPUT_PATH_SIZE];
    CHECK(mkdtemp(odd) != NULL);
    snprintf(percent, sizeof percent, "%s/100%%p", odd);
    CHECK(mkdir(percent, 0700) == 0 && chdir(percent) == 0);
    output_start(NULL);
    CHECK(output_make("app", make, taken, path) == 0);
    CHECK(strncmp(path, percent, strlen(percent)) == 0 && strcmp(path + strlen(percent), "/app") == 0);
    CHECK(rmdir(percent) == 0);

    output_start(NULL);          /* the working directory is gone */
    CHECK_NAME("app", "ENOENT");
    CHECK_NAME("", "/tmp/output_test.{pid}.genmark");
    CHECK(chdir("/") == 0 && rmdir(odd) == 0);
    output_start(NULL);
    CHECK_NAME("app", "/app");
}

int main(void)
{
    char *environment[] = {"TMPDIR=/elsewhere", NULL};
    snprintf(own, sizeof own, "%d", (int)getpid());
    CHECK(getcwd(here, sizeof here) != NULL);
    output_start(environment);
    test_default();
    test_given();
    test_limits();
    test_directory();
    test_time();
    test_moved();
    test_odd_directories();
    return CHECK_REPORT();
}
