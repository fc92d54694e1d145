/* SPDX-License-Identifier: MIT
 *
 * hooks.c: the interposer in real processes. Usage: hooks LIBRARY. Starts itself again, preloaded, once for each way in
 * which a program can end or start another, and looks at the traces that are left: how many, what their end says, which
 * blocks they count, and what the program saw of us.
 */
#define _GNU_SOURCE 1
#include "check.h"

#include "genmark_trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char self[4096];

/* --- What the recorded program does ------------------------------------------------------------------------------- */

static void *volatile kept;
static char *own_arguments[] = {(char *)"hooks", (char *)"=inner", NULL};

static void *thread_exits(void *unused)
{
    (void)unused;
    exit(12);
}

static void *thread_execs(void *unused)
{
    (void)unused;
    execl("/bin/true", "true", (char *)NULL);
    _exit(99);
}

static int wait_for(pid_t child)
{
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

/* Before every constructor, and before an allocation has shown us the real functions. */
static int early_failed;
static void before_all(int count, char **arguments, char **environment)
{
    (void)count, (void)arguments, (void)environment;
    early_failed = syscall(SYS_gettid) <= 0 || prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) < 0;
}
__attribute__((section(".preinit_array"), used)) static void (*before_all_entry)(int, char **, char **) = before_all;

/* From here on only what this program needs itself: anything else kills it. */
static int give_up_calls(bool by_prctl)
{
#define ALLOW(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(SYS_exit_group), ALLOW(SYS_brk), ALLOW(SYS_mmap), ALLOW(SYS_munmap), ALLOW(SYS_futex), ALLOW(SYS_clone),
        ALLOW(SYS_wait4), ALLOW(SYS_set_robust_list),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return by_prctl ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)
                    : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static int allocate_much(int depth)
{
    for (int i = 0; i < 200; i++)
        kept = malloc((size_t)(depth * 50 + i));
    return depth == 0 ? 0 : allocate_much(depth - 1) + (kept == NULL);
}

static int scenario(const char *name)
{
    pid_t child;
    pthread_t thread;
#define IS(text) (strcmp(name, text) == 0)
    for (int i = 0; i < 5; i++)
        kept = malloc(100);
    if (early_failed)
        return 89;
    if (IS("confined-prctl") || IS("confined-syscall")) {
        if (give_up_calls(IS("confined-prctl")) != 0)
            return 88;
        allocate_much(100);
        child = fork();
        if (child == 0) {
            allocate_much(3);
            _exit(2);
        }
        return wait_for(child);
    }
    if (IS("confined-not")) {
        /* How libraries ask for seccomp; the last one fails for want of a filter that can be read. */
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0);
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL);
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, 1, 0, 0) != -1 || errno != EFAULT)
            return 87;
        allocate_much(100);
        return 1;
    }
    if (IS("inner"))
        return getenv("LD_PRELOAD") && !getenv("GENMARK_FOLLOW") ? 90 : 6;
    if (IS("return"))
        return 7;
    if (IS("exit"))
        exit(256 + 11);
    if (IS("_exit"))
        _exit(8);
    if (IS("_Exit"))
        _Exit(9);
    if (IS("quick_exit"))
        quick_exit(10);
    if (IS("thread-exit")) {
        pthread_create(&thread, NULL, thread_exits, NULL);
        pthread_exit(NULL);
    }
    if (IS("kill")) {
        kill(getpid(), SIGKILL);
        pause();
    }
    if (IS("abort"))
        abort();
    if (IS("exec-other"))
        execl("/bin/true", "true", (char *)NULL);
    if (IS("exec-thread")) {
        pthread_create(&thread, NULL, thread_execs, NULL);
        pause();
    }
    if (IS("exec-fails")) {
        errno = 0;
        execl("/nonexistent/program", "x", (char *)NULL);
        if (errno != ENOENT)
            return 90;
        char *const arguments[] = {(char *)"x", NULL};
        if (execvp("no-such-program-anywhere", arguments) != -1 || errno != ENOENT)
            return 91;
        if (execve("/etc", arguments, environ) != -1 || errno != EACCES)
            return 92;
        kept = malloc(100);
        return 3;
    }
    if (IS("exec-self"))
        execv("/proc/self/exe", own_arguments);
    if (IS("exec-self-clean")) {
        char *clean[] = {(char *)"ONLY=1", NULL};
        execve(self, own_arguments, clean);
    }
    if (IS("exec-self-by-descriptor")) {
        int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
        fexecve(file, own_arguments, environ);
    }
    if (IS("exec-self-by-name")) {
        *strrchr(self, '/') = '\0';
        setenv("PATH", self, 1);
        execlp("hooks", "hooks", "=inner", (char *)NULL);
    }
    if (IS("exec-le")) {
        char *with[] = {(char *)"A=1", NULL};
        execle(self, "hooks", "=inner", (char *)NULL, with);
    }
    if (IS("fork-ends")) {
        child = fork();
        if (child == 0) {
            kept = malloc(100);
            exit(5);
        }
        return wait_for(child);
    }
    if (IS("fork-exec-self")) {
        child = fork();
        if (child == 0) {
            execv("/proc/self/exe", own_arguments);
            _exit(97);
        }
        return wait_for(child);
    }
    if (IS("vfork-exec-self")) {
        child = vfork();
        if (child == 0) {
            execv("/proc/self/exe", own_arguments);
            _exit(97);
        }
        return wait_for(child);
    }
    if (IS("vfork-ends")) {
        child = vfork();
        if (child == 0)
            _exit(4);
        kept = malloc(100);
        return wait_for(child);
    }
    if (IS("spawn-self"))
        return posix_spawn(&child, self, NULL, NULL, own_arguments, environ) == 0 ? wait_for(child) : 96;
    if (IS("spawn-other")) {
        char *arguments[] = {(char *)"sh", (char *)"-c", (char *)"test -z \"$LD_PRELOAD\" || exit 20", NULL};
        return posix_spawnp(&child, "sh", NULL, NULL, arguments, environ) == 0 ? wait_for(child) : 96;
    }
    if (IS("system"))
        return WEXITSTATUS(system("exec /bin/sh -c 'exit 13'"));
    if (IS("environment"))
        return getenv("LD_PRELOAD") != NULL;
    if (IS("daemon")) {
        if (daemon(1, 0) != 0)
            return 95;
        kept = malloc(100);
        return 0;
    }
    if (IS("chdir"))
        return chdir("/") != 0;
    if (IS("overwrites-environment")) {
        for (char **entry = environ; *entry; entry++)
            memset(*entry, 'x', strlen(*entry));
        environ = NULL;
        kept = malloc(100);
        return 0;
    }
    return 94;
}

/* --- What is left of it --------------------------------------------------------------------------------------------- */

struct left {
    unsigned traces;
    uint32_t end[8];
    int32_t value[8];
    bool cut[8];               /* the file was cut to what is used */
    uint32_t flags;            /* of the first */
    uint64_t cells;
    char first_name[256];
};

static int by_name(const struct dirent **a, const struct dirent **b)
{
    size_t left = strlen((*a)->d_name), right = strlen((*b)->d_name);
    return left != right ? (left < right ? -1 : 1) : strcmp((*a)->d_name, (*b)->d_name);
}

/* Reads the ends of all traces in the directory, shortest name first, and removes them. */
static struct left look(const char *directory)
{
    struct left left = {0};
    struct dirent **names;
    int count = scandir(directory, &names, NULL, by_name);
    for (int i = 0; i < count; i++) {
        char path[8192];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]->d_name);
        struct gm_header header;
        struct stat status;
        int file = names[i]->d_name[0] == '.' ? -1 : open(path, O_RDONLY);
        if (file >= 0 && left.traces < 8) {
            CHECK(read(file, &header, sizeof header) == sizeof header && header.magic == GM_MAGIC);
            CHECK(fstat(file, &status) == 0 && (status.st_mode & 0777) == 0600);
            if (left.traces == 0) {
                snprintf(left.first_name, sizeof left.first_name, "%s", names[i]->d_name);
                left.flags = header.flags;
                left.cells = header.cell_count;
            }
            left.end[left.traces] = header.end_kind;
            left.value[left.traces] = header.end_value;
            left.cut[left.traces] = status.st_size < 1 << 20;
            left.traces++;
        }
        if (file >= 0) {
            close(file);
            unlink(path);
        }
        free(names[i]);
    }
    free(names);
    return left;
}

static const char *library, *directory;

/* Runs a scenario; its wait status is in `status`. */
static struct left run(const char *name, const char *setting, int *status)
{
    char preload[8192], output[8192], argument[256], word[64] = "UNUSED=1";
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
    snprintf(output, sizeof output, "GENMARK_OUTPUT=%s/app.genmark", directory);
    snprintf(argument, sizeof argument, "=%s", name);
    if (setting)
        snprintf(word, sizeof word, "%s", setting);
    char *environment[] = {preload, output, word, (char *)"PATH=/usr/bin:/bin", NULL};
    char *arguments[] = {(char *)"hooks", argument, NULL};
    pid_t child;
    CHECK(posix_spawn(&child, self, NULL, NULL, arguments, environment) == 0);
    CHECK(waitpid(child, status, 0) == child);
    return look(directory);
}

/* One trace, which ends so; the program's own status is as without us. */
static void expect_end(const char *name, int exit_status, uint32_t end, int32_t value)
{
    int status;
    struct left left = run(name, NULL, &status);
    bool right = WIFEXITED(status) && WEXITSTATUS(status) == exit_status && left.traces == 1 && left.end[0] == end &&
                 left.value[0] == value && left.cut[0] && strcmp(left.first_name, "app.genmark") == 0;
    if (!right)
        fprintf(stderr, "%s: status %x, %u traces, end %u %d, cut %d\n", name, (unsigned)status, left.traces, left.end[0],
                left.value[0], left.cut[0]);
    CHECK(right);
}

static void expect_signal(const char *name, int signal)
{
    int status;
    struct left left = run(name, NULL, &status);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signal);
    CHECK(left.traces == 1 && left.end[0] == GM_END_NONE);
}

/* Two traces: the program's own, and that of itself started again, which exits with 6. */
static void expect_two(const char *name, const char *setting, uint32_t end, int32_t value)
{
    int status;
    struct left left = run(name, setting, &status);
    bool right = WIFEXITED(status) && WEXITSTATUS(status) == 6 && left.traces == 2 && left.end[0] == end &&
                 left.value[0] == value && left.end[1] == GM_END_EXIT && left.value[1] == 6;
    if (!right)
        fprintf(stderr, "%s: status %x, %u traces, ends %u %d, %u %d\n", name, (unsigned)status, left.traces, left.end[0],
                left.value[0], left.end[1], left.value[1]);
    CHECK(right);
}

int main(int count, char **arguments)
{
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length < 0 ? 0 : length] = '\0';
    if (count == 2 && arguments[1][0] == '=')
        return scenario(arguments[1] + 1);
    static char resolved[4096], temporary[] = "/tmp/genmark-hooks-XXXXXX";
    library = count == 2 ? realpath(arguments[1], resolved) : NULL;
    directory = mkdtemp(temporary);
    if (!library || !directory)
        return fprintf(stderr, "usage: hooks LIBRARY\n"), 3;

    expect_end("return", 7, GM_END_EXIT, 7);
    expect_end("exit", 11, GM_END_EXIT, 11);
    expect_end("_exit", 8, GM_END_EXIT, 8);
    expect_end("_Exit", 9, GM_END_EXIT, 9);
    expect_end("quick_exit", 10, GM_END_EXIT, 10);
    expect_end("thread-exit", 12, GM_END_EXIT, 12);
    expect_signal("kill", SIGKILL);
    expect_signal("abort", SIGABRT);
    expect_end("exec-other", 0, GM_END_EXEC, 0);
    expect_end("exec-thread", 0, GM_END_EXEC, 0);
    expect_end("exec-fails", 3, GM_END_EXIT, 3);
    expect_end("fork-ends", 5, GM_END_EXIT, 5);
    expect_end("vfork-ends", 4, GM_END_EXIT, 4);
    expect_end("spawn-other", 0, GM_END_EXIT, 0);
    expect_end("system", 13, GM_END_EXIT, 13);
    expect_end("environment", 0, GM_END_EXIT, 0);
    expect_end("daemon", 0, GM_END_EXIT, 0);
    expect_end("chdir", 0, GM_END_EXIT, 0);
    expect_end("overwrites-environment", 0, GM_END_EXIT, 0);

    expect_two("exec-self", NULL, GM_END_EXEC, 0);
    expect_two("exec-self-clean", NULL, GM_END_EXEC, 0);
    expect_two("exec-self-by-descriptor", NULL, GM_END_EXEC, 0);
    expect_two("exec-self-by-name", NULL, GM_END_EXEC, 0);
    expect_two("exec-le", NULL, GM_END_EXEC, 0);
    expect_two("fork-exec-self", NULL, GM_END_EXIT, 6);
    expect_two("vfork-exec-self", NULL, GM_END_EXIT, 6);
    expect_two("spawn-self", NULL, GM_END_EXIT, 6);

    /* GENMARK_FOLLOW: what is started, and a forked child that allocates. */
    int status;
    struct left left = run("system", "GENMARK_FOLLOW=1", &status);
    CHECK(WEXITSTATUS(status) == 13 && left.traces >= 2 && left.end[0] == GM_END_EXIT && left.value[0] == 13);
    left = run("fork-ends", "GENMARK_FOLLOW=1", &status);
    CHECK(WEXITSTATUS(status) == 5 && left.traces == 2 && left.end[0] == GM_END_EXIT && left.end[1] == GM_END_EXIT);
    left = run("environment", "GENMARK_FOLLOW=1", &status);
    CHECK(WEXITSTATUS(status) == 1 && left.traces == 1);
    left = run("exec-other", "GENMARK_FOLLOW=1", &status);
    CHECK(WEXITSTATUS(status) == 0 && left.traces == 2 && left.end[0] == GM_END_EXEC && left.end[1] == GM_END_EXIT);
    /* GENMARK_RUN: what the program turns into, and not what it starts. */
    left = run("exec-other", "GENMARK_RUN=1", &status);
    CHECK(WEXITSTATUS(status) == 0 && left.traces == 2 && left.end[0] == GM_END_EXEC && left.end[1] == GM_END_EXIT);
    left = run("system", "GENMARK_RUN=1", &status);
    CHECK(WEXITSTATUS(status) == 13 && left.traces == 1);

    /* seccomp: recording goes on with what it has; the program lives, and so does its child. */
    static const char *const confined[] = {"confined-prctl", "confined-syscall"};
    for (int i = 0; i < 2; i++) {
        left = run(confined[i], i == 0 ? NULL : "GENMARK_FOLLOW=1", &status);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2 && left.traces == 1);
        CHECK(left.flags == 0 && left.cells > 90 && left.end[0] == GM_END_EXIT && left.value[0] == 2);
    }
    left = run("confined-not", NULL, &status);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1 && left.traces == 1 && left.cut[0]);
    CHECK((left.flags & GM_FLAG_STOPPED) == 0 && left.end[0] == GM_END_EXIT && left.value[0] == 1 && left.cells > 90);

    CHECK(rmdir(directory) == 0);
    return CHECK_REPORT();
}
