/* SPDX-License-Identifier: MIT
 *
 * preload_test.c: our library out of LD_PRELOAD and back into a child's, other libraries untouched.
 */
#define _GNU_SOURCE 1
#include "check.h"

#include "output.h"
#include "preload.h"
#include "settings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t length(char *const *environment)
{
    size_t count = 0;
    while (environment[count])
        count++;
    return count;
}

static const char *value(char *const *environment, const char *name)
{
    const char *found = settings_find(environment, name);
    return found ? found : "(none)";
}

#define CHECK_VALUE(environment, name, expected)                                                    \
    do {                                                                                            \
        const char *got_ = value(environment, name);                                                \
        if (strcmp(got_, expected) != 0)                                                            \
            fprintf(stderr, "%s is %s, must be %s\n", name, got_, expected);                        \
        CHECK(strcmp(got_, expected) == 0);                                                         \
    } while (0)

static char **child_of(char *const *environment)
{
    size_t room = preload_room(environment);
    CHECK(room > 0);
    return preload_environment(environment, malloc(room));      /* exactly that size: the sanitizer watches its end */
}

/* Each in a process of its own: what the library remembers is for one. */
static void in_child(void (*test)(void))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        check_passed = check_failed = 0;
        test();
        _exit(check_failed);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_alone(void)
{
    char *environment[] = {"A=1", "LD_PRELOAD=/opt/libgenmark.so", "GENMARK_OUTPUT=/t/x", "B=2", NULL};
    preload_start(environment, "/opt/libgenmark.so", false);
    CHECK_EQUAL(length(environment), 3);
    CHECK_VALUE(environment, "LD_PRELOAD", "(none)");
    CHECK_VALUE(environment, "B", "2");

    char **child = child_of(environment);
    CHECK_VALUE(child, "LD_PRELOAD", "/opt/libgenmark.so");
    CHECK_VALUE(child, "GENMARK_OUTPUT", "/t/x");
    CHECK_EQUAL(length(child), 4);
    CHECK_EQUAL(length(environment), 3);

    char *empty[] = {NULL};
    child = child_of(empty);
    CHECK_VALUE(child, "GENMARK_OUTPUT", "/t/x");
    CHECK_EQUAL(length(child), 2);

    char *own[] = {"GENMARK_OUTPUT=/mine", "LD_PRELOAD=libfoo.so:/lib/libbar.so", NULL};
    child = child_of(own);
    CHECK_VALUE(child, "LD_PRELOAD", "/opt/libgenmark.so:libfoo.so:/lib/libbar.so");
    CHECK_VALUE(child, "GENMARK_OUTPUT", "/mine");
    CHECK_EQUAL(length(child), 2);

    char *has[] = {"LD_PRELOAD=libfoo.so libgenmark.so", NULL};
    CHECK_EQUAL(preload_room(has), 0);
    CHECK_EQUAL(preload_room(NULL), 0);
}

static void test_among_others(void)
{
    char *environment[] = {"LD_PRELOAD=liba.so : /opt/libgenmark.so::/x/libb.so ", NULL};
    preload_start(environment, "/opt/libgenmark.so", false);
    CHECK_VALUE(environment, "LD_PRELOAD", "liba.so:/x/libb.so");
    char **child = child_of(environment);
    CHECK_VALUE(child, "LD_PRELOAD", "liba.so:/opt/libgenmark.so:/x/libb.so");      /* in its old place */
    CHECK_EQUAL(length(child), 1);
}

static void test_kept(void)
{
    char here[4096], wanted[8192];
    CHECK(getcwd(here, sizeof here) != NULL);
    char *environment[] = {"LD_PRELOAD=./libgenmark.so:liba.so", "GENMARK_FOLLOW=1", "GENMARK_OUTPUT=out/%p", NULL};
    output_start(environment);
    preload_start(environment, "./libgenmark.so", true);
    snprintf(wanted, sizeof wanted, "%s/./libgenmark.so:liba.so", here);
    CHECK_VALUE(environment, "LD_PRELOAD", wanted);
    snprintf(wanted, sizeof wanted, "%s/out/%%p", here);
    CHECK_VALUE(environment, "GENMARK_OUTPUT", wanted);
    CHECK_EQUAL(preload_room(environment), 0);
    char *cleaned[] = {"PATH=/bin", NULL};
    char **child = child_of(cleaned);
    CHECK_VALUE(child, "GENMARK_FOLLOW", "1");
    CHECK_VALUE(child, "GENMARK_OUTPUT", wanted);
    CHECK_EQUAL(length(child), 4);
}

static void test_by_file(void)
{
    char directory[] = "/tmp/genmark-preload-XXXXXX", library[64], other[64], entry[128];
    CHECK(mkdtemp(directory) != NULL);
    snprintf(library, sizeof library, "%s/libgenmark.so", directory);
    snprintf(other, sizeof other, "%s/renamed.so", directory);
    FILE *file = fopen(library, "w");
    CHECK(file && fclose(file) == 0 && symlink(library, other) == 0);
    snprintf(entry, sizeof entry, "LD_PRELOAD=%s", other);
    char *environment[] = {entry, "LD_PRELOAD_NOT=libgenmark.so", NULL};
    preload_start(environment, library, false);
    CHECK_VALUE(environment, "LD_PRELOAD", "(none)");
    CHECK_VALUE(environment, "LD_PRELOAD_NOT", "libgenmark.so");
    CHECK(unlink(other) == 0 && unlink(library) == 0 && rmdir(directory) == 0);
}

static void test_nothing_known(void)
{
    char *environment[] = {"LD_PRELOAD=liba.so", NULL};
    CHECK_EQUAL(preload_room(environment), 0);
    preload_start(NULL, "", false);
    preload_start(environment, "/opt/libgenmark.so", false);
    CHECK_VALUE(environment, "LD_PRELOAD", "liba.so");

    static char endless[20000];
    memset(endless, 'x', sizeof endless - 1);
    memcpy(endless, "LD_PRELOAD=libgenmark.so:", 25);
    char *long_list[] = {endless, NULL};
    preload_start(long_list, "/opt/libgenmark.so", false);
    CHECK(long_list[0] == endless);
}

int main(void)
{
    in_child(test_alone);
    in_child(test_among_others);
    in_child(test_kept);
    in_child(test_by_file);
    in_child(test_nothing_known);
    return CHECK_REPORT();
}
