// SPDX-License-Identifier: MIT
// limits: keeps 3,000 blocks of 100 bytes from 40 call stacks, 20 generations, with little left of something. Words:
//   plain            nothing is taken away
//   limit WHAT N     setrlimit WHAT (fsize as data nofile stack) to N bytes or descriptors, at first
//   disk FILE        fills the disk that FILE is on, after the first generation, and frees it before the end
//   close            closes every descriptor but 1
//   gone             works in a directory that is deleted
//   root             chroot to an empty directory, with no /proc
//   exec-fails       an exec that fails under a small RLIMIT_FSIZE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern void genmark_mark(const char *label) __attribute__((weak));

__attribute__((noinline)) static void *limited(int depth)
{
    void *volatile block = depth ? limited(depth - 1) : malloc(100);
    return block;
}

static int get_limit(const char *name)
{
    static const struct { const char *name; int number; } limits[] = {
        {"fsize", RLIMIT_FSIZE}, {"as", RLIMIT_AS}, {"data", RLIMIT_DATA}, {"nofile", RLIMIT_NOFILE}, {"stack", RLIMIT_STACK}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (!strcmp(name, limits[i].name))
            return limits[i].number;
    exit(3);
}

static void fill(const char *path)
{
    static char bytes[4096];
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (size_t size = sizeof bytes; size >= 1;)
        if (write(file, bytes, size) <= 0)
            size /= 2;
    close(file);
}

int main(int count, char **words)
{
    alarm(60);
    const char *what = count > 1 ? words[1] : "plain";
    if (!strcmp(what, "limit")) {
        struct rlimit limit;
        getrlimit(get_limit(words[2]), &limit);
        limit.rlim_cur = (rlim_t)atoll(words[3]);
        if (setrlimit(get_limit(words[2]), &limit) != 0)
            return 77;
    } else if (!strcmp(what, "close")) {
        for (int descriptor = 0; descriptor < 256; descriptor++)
            if (descriptor != 1)
                close(descriptor);
    } else if (!strcmp(what, "gone")) {
        if (mkdir("gone", 0700) != 0 || chdir("gone") != 0 || rmdir("../gone") != 0)
            return 3;
    } else if (!strcmp(what, "root")) {
        mkdir("root", 0700);      /* may be there from before */
        if (chroot("root") != 0 || chdir("/") != 0)
            return 77;
    }
    static void *blocks[3000];
    int kept = 0;
    for (int generation = 0; generation < 20; generation++) {
        if (generation == 1) {
            if (!strcmp(what, "disk"))
                fill(words[2]);
            if (!strcmp(what, "exec-fails")) {
                struct rlimit limit;
                getrlimit(RLIMIT_FSIZE, &limit);
                limit.rlim_cur = 100000;
                setrlimit(RLIMIT_FSIZE, &limit);
                char *nothing[] = {NULL};
                execve("/nowhere/at/all", nothing, nothing);
            }
        }
        for (int i = 0; i < 150; i++)
            if ((blocks[kept] = limited(i % 40)))
                kept++;
        if (genmark_mark)
            genmark_mark("generation");
    }
    if (!strcmp(what, "disk"))
        unlink(words[2]);
    static char line[100];
    int length = snprintf(line, sizeof line, "%s %d\n", what, kept);
    if (write(1, line, (size_t)length) < 0)
        return 3;
    _exit(0);
}
