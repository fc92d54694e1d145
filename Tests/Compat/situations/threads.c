// SPDX-License-Identifier: MIT
// threads: what many or odd threads do. First word says which:
//   turns N      N threads, four at a time, one after the other; writes down how many KiB are resident more than after 500
//   crowd N      N threads that are all alive at once, each with a block of its own
//   tiny         threads of the least stack that allocate, mark, fork and run on an alternate signal stack
//   cancel N     N threads cancelled at a random moment of their churn (deferred), with cleanup handlers
//   gone         threads that leave by pthread_exit in a signal handler, in the midst of churn, while others go on
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <limits.h>
#include <unistd.h>

extern void genmark_mark(const char *label) __attribute__((weak));

static pthread_barrier_t barrier;

static long resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * 4;
}

__attribute__((noinline)) static void *keep_one(void) { void *volatile block = malloc(40); return block; }

__attribute__((noinline)) static void churn(int count)
{
    for (int i = 0; i < count; i++) {
        void *volatile block = malloc((size_t)(i % 300) + 1);
        free(block);
    }
}

static void *turn(void *unused)
{
    (void)unused;
    churn(20);
    return keep_one();
}

static int turns(int count)
{
    long early = 0;
    for (int i = 0; i < count; i += 4) {
        pthread_t threads[4];
        for (int j = 0; j < 4; j++)
            if (pthread_create(&threads[j], NULL, turn, NULL) != 0)
                return 3;
        for (int j = 0; j < 4; j++) {
            void *block;
            pthread_join(threads[j], &block);
            free(block);
        }
        if (i == 500)
            early = resident();
    }
    FILE *grown = fopen(genmark_mark ? "grown.recorded" : "grown.bare", "w");
    if (grown) {
        fprintf(grown, "%ld\n", resident() - early);
        fclose(grown);
    }
    puts("all gone");
    return 0;
}

static void *wait_in_crowd(void *unused)
{
    (void)unused;
    void *block = keep_one();
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return block;
}

static int crowd(int count)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 65536);
    pthread_barrier_init(&barrier, NULL, (unsigned)count + 1);
    pthread_t *threads = malloc(sizeof *threads * (size_t)count);
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], &attributes, wait_in_crowd, NULL) != 0) {
            printf("only %d\n", i);
            _exit(77);
        }
    pthread_barrier_wait(&barrier);
    if (genmark_mark)
        genmark_mark("crowd");
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);       /* their blocks are kept */
    puts("all there");
    return 0;
}

static void on_signal(int number)
{
    (void)number;
    free(keep_one());
    if (genmark_mark)
        genmark_mark("in a handler");
}

static void *live_tiny(void *unused)
{
    (void)unused;
    static __thread char alternate[16384];
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    sigaltstack(&stack, NULL);
    void *kept = keep_one();
    churn(50);
    if (genmark_mark)
        genmark_mark("on a tiny stack");
    pthread_kill(pthread_self(), SIGUSR2);
    pid_t child = fork();
    if (child == 0) {
        free(keep_one());
        if (genmark_mark)
            genmark_mark("in a child");
        _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0 ? kept : NULL;
}

static int tiny(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_RESTART};
    sigaction(SIGUSR2, &action, NULL);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    /* What glibc takes off the top is the program's thread-local storage, 16 KiB of it alternate stack. */
    size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
    pthread_attr_setstacksize(&attributes, (least > 16384 ? least : 16384) + 16384);
    int good = 0;
    for (int i = 0; i < 40; i++) {
        pthread_t thread;
        void *kept = NULL;
        if (pthread_create(&thread, &attributes, live_tiny, NULL) == 0 && pthread_join(thread, &kept) == 0)
            good += kept != NULL;
    }
    printf("%d lived\n", good);
    return 0;
}

static void give_back(void *block) { free(block); }

static void *churn_for_ever(void *unused)
{
    (void)unused;
    for (;;) {
        void *block = keep_one();
        pthread_cleanup_push(give_back, block);
        churn(10);
        pthread_testcancel();
        pthread_cleanup_pop(1);
    }
    return NULL;
}

static int cancel(int count)
{
    unsigned state = 7;
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, churn_for_ever, NULL) != 0)
            return 3;
        state = state * 1664525 + 1013904223;
        usleep(state >> 22);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
    }
    puts("all cancelled");
    return 0;
}

static void leave(int number) { (void)number; pthread_exit(NULL); }

/* Only the recorder's own state is put at risk: the program's allocator is not (it allocates nothing while it may leave). */
static void *read_marks(void *unused)
{
    (void)unused;
    for (;;)
        if (genmark_mark)
            genmark_mark("at risk");
        else
            usleep(10);
    return NULL;
}

static int gone(void)
{
    signal(SIGUSR2, leave);
    unsigned state = 3;
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, read_marks, NULL) != 0)
            return 3;
        state = state * 1664525 + 1013904223;
        usleep(50 + (state >> 23));
        pthread_kill(thread, SIGUSR2);
        pthread_join(thread, NULL);
        churn(100);
    }
    if (genmark_mark)
        genmark_mark("after them");
    puts("all gone");
    return 0;
}

int main(int count, char **words)
{
    alarm(120);      /* a hang is a failure */
    const char *what = count > 1 ? words[1] : "";
    int number = count > 2 ? atoi(words[2]) : 0;
    if (!strcmp(what, "turns"))
        return turns(number);
    if (!strcmp(what, "crowd"))
        return crowd(number);
    if (!strcmp(what, "tiny"))
        return tiny();
    if (!strcmp(what, "cancel"))
        return cancel(number);
    if (!strcmp(what, "gone"))
        return gone();
    return 3;
}
