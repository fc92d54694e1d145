/* SPDX-License-Identifier: MIT
 *
 * unwind_test.c: random call trees of every kind of frame we know of. At each leaf three walks must agree: the incremental one,
 * one by a stack that remembers nothing, and libunwind's. Unwind tables made by hand are in unwind_cfi_test.c.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "unwind.h"

#include "check.h"
#include "unwind_libunwind.h"

#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define AFTER_CALL() __asm__ volatile("" ::: "memory")
#define USES(pointer) __asm__ volatile("" ::"r"(pointer) : "memory")

struct tree {
    uint64_t random;
    long budget;                   /* leaves left */
    int depth;
    bool elsewhere;                /* on an alternate stack or a coroutine's: those do not nest here */
    int handed;                    /* depth for callbacks that get no argument of ours */
    struct unwind_stack *kept, *blank;
    unsigned long leaves, remembered, wrong_nodes, wrong_kept, wrong_whole, broken;
    jmp_buf jump;
};
static __thread struct tree *tree;

static uint64_t next_random(void)
{
    tree->random ^= tree->random << 13;
    tree->random ^= tree->random >> 7;
    tree->random ^= tree->random << 17;
    return tree->random;
}

/* Stands for a node of the call tree: equal for equal paths from the outermost frame only. */
static uint32_t node_of(uint32_t parent, uint64_t address)
{
    uint64_t hash = (address ^ (uint64_t)parent << 29) * 0x9e3779b97f4a7c15ull;
    return (uint32_t)(hash >> 32) | 1;
}

static NOINLINE void leaf(void)
{
    uintptr_t *frame = __builtin_frame_address(0);
    uintptr_t pc = frame[1], sp = (uintptr_t)(frame + 2), bp = frame[0];
    struct unwind_walk walk, whole;
    unwind_reset(tree->blank);
    unwind_walk(tree->blank, pc, sp, bp, &whole);
    uint32_t node = 0;
    for (uint32_t i = 0; i < whole.count; i++)
        node = whole.nodes[i] = node_of(node, whole.addresses[i]);
    tree->leaves++;
    tree->broken += (whole.flags & UNWIND_BROKEN) != 0;
    tree->wrong_whole += !unwind_verify(&whole, pc, sp, bp);

    struct unwind_leaf *known = unwind_known(tree->kept, pc, sp, bp);
    if (known) {
        tree->remembered++;
        tree->wrong_nodes += known->node != node;
        return;
    }
    unwind_walk(tree->kept, pc, sp, bp, &walk);
    for (uint32_t i = walk.kept; i < walk.count; i++)
        walk.nodes[i] = node_of(i > 0 ? walk.nodes[i - 1] : 0, walk.addresses[i]);
    /* Twice, since the first time only makes it known that the node has come. */
    unwind_remember(tree->kept, &walk, (struct unwind_leaf){1, walk.nodes[walk.count - 1]});
    unwind_remember(tree->kept, &walk, (struct unwind_leaf){1, walk.nodes[walk.count - 1]});
    tree->wrong_nodes += walk.nodes[walk.count - 1] != node;
    tree->wrong_kept += walk.count != whole.count || walk.flags != whole.flags ||
                        memcmp(walk.addresses, whole.addresses, walk.count * sizeof(uint64_t)) != 0;
    AFTER_CALL();
}

static NOINLINE void grow(int depth);

static NOINLINE void frame_plain(int depth) { grow(depth - 1); AFTER_CALL(); }
static NOINLINE void frame_array(int depth) { char bytes[256]; USES(bytes); grow(depth - 1); AFTER_CALL(); }
static NOINLINE void frame_big(int depth) { char bytes[40000]; bytes[0] = 1; USES(bytes); grow(depth - 1); AFTER_CALL(); }
static NOINLINE void frame_alloca(int depth)
{
    char *bytes = alloca(8 + (next_random() & 511));
    USES(bytes);
    grow(depth - 1);
    AFTER_CALL();
}
static NOINLINE void frame_realigned(int depth)
{
    char bytes[128] __attribute__((aligned(64))), *more = alloca(16 + (next_random() & 127));
    USES(bytes);
    USES(more);
    grow(depth - 1);
    AFTER_CALL();
}
static NOINLINE void frame_aligned(int depth)
{
    char bytes[64] __attribute__((aligned(128)));
    USES(bytes);
    grow(depth - 1);
    AFTER_CALL();
}
static NOINLINE void frame_saves(int depth)
{
    uint64_t a = next_random(), b = next_random(), c = next_random(), d = next_random(), e = next_random();
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e)::"memory");
    grow(depth - 1);
    __asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(e) : "memory");
}
#if defined(__GNUC__) && !defined(__clang__)
#define WITHOUT_FRAME_POINTER __attribute__((optimize("omit-frame-pointer")))
#else
#define WITHOUT_FRAME_POINTER
#endif
static NOINLINE WITHOUT_FRAME_POINTER void frame_omitted(int depth)
{
    char bytes[72];
    USES(bytes);
    grow(depth - 1);
    AFTER_CALL();
}
/* The frame pointer's register holds anything, and is saved by those further in. */
static NOINLINE WITHOUT_FRAME_POINTER void frame_saves_omitted(int depth)
{
    uint64_t a = next_random(), b = next_random(), c = next_random(), d = next_random(), e = next_random(), f = next_random();
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f)::"memory");
    grow(depth - 1);
    __asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f) : "memory");
}
static NOINLINE void tail_target(int depth) { char bytes[24]; USES(bytes); grow(depth - 1); AFTER_CALL(); }
static NOINLINE void frame_tail(int depth) { next_random(); tail_target(depth); }

static int compare(const void *a, const void *b)
{
    int depth = tree->handed;
    tree->handed = 0;
    if (depth > 0)
        grow(depth - 1);
    AFTER_CALL();
    return *(const int *)a - *(const int *)b;
}
static NOINLINE void frame_callback(int depth)
{
    int numbers[9];
    for (int i = 0; i < 9; i++)
        numbers[i] = (int)(next_random() & 1023);
    int outer = tree->handed;
    tree->handed = depth;
    qsort(numbers, 9, sizeof numbers[0], compare);
    tree->handed = outer;
    AFTER_CALL();
}

/* The same slot addresses with other callers, and with other frame sizes: what slots and return addresses do not show. */
static NOINLINE void trap_inner(int depth) { leaf(); grow(depth - 1); leaf(); AFTER_CALL(); }
static NOINLINE void trap_one(int depth) { char bytes[48]; USES(bytes); trap_inner(depth); AFTER_CALL(); }
static NOINLINE void trap_two(int depth) { char bytes[48]; USES(bytes); trap_inner(depth); AFTER_CALL(); }
static NOINLINE void frame_same_slots(int depth)
{
    trap_one(depth > 2 ? 2 : depth);
    trap_two(depth);
    trap_one(1);
    AFTER_CALL();
}
static NOINLINE void sized(size_t size, int depth) { char *bytes = alloca(size); USES(bytes); trap_inner(depth); AFTER_CALL(); }
static NOINLINE void shifted(size_t by, size_t size, int depth) { char *bytes = alloca(by); USES(bytes); sized(size, depth); AFTER_CALL(); }
static NOINLINE void frame_same_sum(int depth)
{
    for (size_t i = 0; i < 4; i++)
        shifted(16 + 64 * i, 16 + 64 * (3 - i), i == 2 ? depth : 0);
    AFTER_CALL();
}

static NOINLINE void jump_further_out(int depth);
static NOINLINE void jump_out(int depth)
{
    if (depth > 0) {
        jump_further_out(depth);
        AFTER_CALL();
        return;
    }
    longjmp(tree->jump, 1);
}
static NOINLINE void jump_further_out(int depth)
{
    char *bytes = alloca(16 + (next_random() & 63));
    USES(bytes);
    if (next_random() & 1)
        leaf();
    jump_out(depth - 1);
    AFTER_CALL();
}
static NOINLINE __attribute__((unused)) void frame_longjmp(int depth)
{
    jmp_buf outer;
    memcpy(outer, tree->jump, sizeof outer);
    if (setjmp(tree->jump) == 0)
        jump_out(1 + (int)(next_random() & 3));
    memcpy(tree->jump, outer, sizeof outer);
    grow(depth - 1);
    AFTER_CALL();
}

static void on_signal(int number)
{
    int depth = tree->handed;
    (void)number;
    tree->handed = 0;
    grow(depth - 1);
    AFTER_CALL();
}
static void on_signal_elsewhere(int number)
{
    tree->elsewhere = true;
    if (tree->handed > 6)
        tree->handed = 6;
    on_signal(number);
    tree->elsewhere = false;
}
static NOINLINE __attribute__((unused)) void frame_signal(int depth) { tree->handed = depth; raise(SIGUSR1); AFTER_CALL(); }
static NOINLINE __attribute__((unused)) void frame_signal_elsewhere(int depth)
{
    if (tree->elsewhere) {
        frame_plain(depth);
        return;
    }
    tree->handed = depth;
    raise(SIGUSR2);
    AFTER_CALL();
}

#ifdef __GLIBC__      /* musl has no swapcontext */
enum { COROUTINE_SIZE = 1 << 19 };
struct coroutine { ucontext_t caller, own; int depth; };
static __thread struct coroutine *entered;
static NOINLINE void coroutine_body(struct coroutine *self)
{
    grow(self->depth > 8 ? 8 : self->depth);
    swapcontext(&self->own, &self->caller);
    grow(2);
    swapcontext(&self->own, &self->caller);
}
static void coroutine_entry(void) { coroutine_body(entered); AFTER_CALL(); }
static NOINLINE __attribute__((unused)) void frame_coroutine(int depth)
{
    if (tree->elsewhere) {
        frame_array(depth);
        return;
    }
    struct coroutine *coroutine = malloc(sizeof *coroutine);
    /* A mapping of its own, gone afterwards: frames that are kept from it must not be looked at. */
    void *memory = mmap(NULL, COROUTINE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    coroutine->depth = depth;
    getcontext(&coroutine->own);
    coroutine->own.uc_stack.ss_sp = memory;
    coroutine->own.uc_stack.ss_size = COROUTINE_SIZE;
    coroutine->own.uc_link = NULL;
    makecontext(&coroutine->own, coroutine_entry, 0);
    tree->elsewhere = true;
    entered = coroutine;
    swapcontext(&coroutine->caller, &coroutine->own);
    tree->elsewhere = false;
    grow(depth - 2);
    tree->elsewhere = true;
    swapcontext(&coroutine->caller, &coroutine->own);
    tree->elsewhere = false;
    munmap(memory, COROUTINE_SIZE);
    free(coroutine);
    AFTER_CALL();
}
#endif

static void (*const kinds[])(int) = {
    frame_plain, frame_array, frame_alloca, frame_realigned, frame_aligned, frame_saves, frame_omitted, frame_saves_omitted,
    frame_tail, frame_callback, frame_same_slots, frame_same_sum, frame_big, frame_plain, frame_alloca, frame_saves_omitted,
#ifdef __GLIBC__
    frame_signal,      /* musl's own code has no unwind tables: a stack ends where a signal came in */
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    /* The sanitizers lose track of stacks that are left in these ways. */
    frame_longjmp,
#ifdef __GLIBC__
    frame_signal_elsewhere, frame_coroutine,
#endif
#endif
};

static NOINLINE void grow(int depth)
{
    if (tree->budget <= 0 || tree->depth > 200)
        return;
    if (depth <= 0 || (next_random() & 7) == 0) {
        tree->budget--;
        leaf();
    }
    if (depth <= 0)
        return;
    tree->depth++;
    int branches = 1 + (next_random() % 3 == 0) + (next_random() % 9 == 0);
    for (int i = 0; i < branches; i++) {
        kinds[next_random() % (sizeof kinds / sizeof kinds[0])](depth);
        AFTER_CALL();
    }
    tree->depth--;
}

static struct unwind_stack *new_stack(void)
{
    return mmap(NULL, unwind_stack_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *thread(void *seed)
{
    struct tree own = {.random = 88172645463325252ull + (uintptr_t)seed * 7919, .budget = 4000,
                       .kept = new_stack(), .blank = new_stack()};
    stack_t alternate = {.ss_sp = malloc(1 << 18), .ss_size = 1 << 18};
    sigaltstack(&alternate, NULL);
    tree = &own;
    while (own.budget > 0) {
        own.depth = 0;
        grow(4 + (int)(next_random() % 40));
    }
    alternate.ss_flags = SS_DISABLE;
    sigaltstack(&alternate, NULL);
    free(alternate.ss_sp);

    static pthread_mutex_t checks = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&checks);
    CHECK(own.leaves >= 4000);
    CHECK_EQUAL(own.wrong_nodes, 0);
    CHECK_EQUAL(own.wrong_kept, 0);
    CHECK_EQUAL(own.wrong_whole, 0);
#ifdef __GLIBC__
    CHECK(own.remembered > 0);
#if defined(__x86_64__)
    CHECK_EQUAL(own.broken, 0);    /* elsewhere frames that keep no frame pointer end a stack */
#endif
#endif
    pthread_mutex_unlock(&checks);
    return NULL;
}

static void test_random_trees(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = on_signal_elsewhere;
    action.sa_flags |= SA_ONSTACK;
    sigaction(SIGUSR2, &action, NULL);
    pthread_t other;
    pthread_attr_t attributes;      /* musl's threads have 128 KiB */
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 8 << 20);
    pthread_create(&other, &attributes, thread, (void *)1);
    thread(NULL);
    pthread_join(other, NULL);
}

/* --- Deep stacks -------------------------------------------------------------------------------------------------- */

static struct unwind_stack *deep_stack;
static uint64_t deep_first[UNWIND_DEPTH_LIMIT];
static uint32_t deep_first_count;

static NOINLINE void deep_leaf(struct unwind_walk *walk)
{
    uintptr_t *frame = __builtin_frame_address(0);
    unwind_walk(deep_stack, frame[1], (uintptr_t)(frame + 2), frame[0], walk);
    for (uint32_t i = walk->kept; i < walk->count; i++)
        walk->nodes[i] = 7;
    CHECK(walk->count >= UNWIND_DEPTH_LIMIT / 4 && walk->count <= UNWIND_DEPTH_LIMIT);
    CHECK_EQUAL(walk->flags, UNWIND_CUT);
    CHECK(unwind_verify(walk, frame[1], (uintptr_t)(frame + 2), frame[0]));
}

static NOINLINE void deep_way_in(struct unwind_walk *walk) { deep_leaf(walk); AFTER_CALL(); }

static NOINLINE int deep(int left)
{
    struct unwind_walk walk;
    if (left > 0) {
        int result = deep(left - 1);
        AFTER_CALL();
        return result;
    }
    deep_leaf(&walk);
    for (int i = 0; i < 10; i++) {
        deep_way_in(&walk);
        CHECK(walk.kept == walk.count - 2);
        deep_leaf(&walk);
        CHECK(walk.kept == walk.count - 1);
    }
    deep_first_count = walk.count;
    memcpy(deep_first, walk.addresses, walk.count * sizeof(uint64_t));
    /* Without what is remembered the cut must fall at the same place. */
    unwind_reset(deep_stack);
    deep_leaf(&walk);
    CHECK_EQUAL(walk.count, deep_first_count);
    return 1;
}

static void test_deep(void)
{
    deep_stack = new_stack();
    deep(3000);
}

/* --- Frames that rules cannot express ----------------------------------------------------------------------------- */

#if defined(__x86_64__)
/* Its frame is found by rbx, which no rule knows: libunwind must step out of it. */
void hard_frame(void (*call)(void));
__asm__(".text\n.globl hard_frame\n.type hard_frame,@function\nhard_frame:\n"
        ".cfi_startproc\n push %rbx\n.cfi_def_cfa_offset 16\n.cfi_offset rbx,-16\n mov %rsp,%rbx\n.cfi_def_cfa rbx,16\n"
        " sub $80,%rsp\n call *%rdi\n mov %rbx,%rsp\n pop %rbx\n.cfi_def_cfa rsp,8\n ret\n.cfi_endproc\n"
        ".size hard_frame,.-hard_frame\n");

static struct unwind_stack *hard_stack;
static unsigned hard_wrong, hard_leaves;

static NOINLINE void hard_leaf(void)
{
    uintptr_t *frame = __builtin_frame_address(0);
    struct unwind_walk walk;
    unwind_walk(hard_stack, frame[1], (uintptr_t)(frame + 2), frame[0], &walk);
    for (uint32_t i = walk.kept; i < walk.count; i++)
        walk.nodes[i] = i + 1;
    hard_leaves++;
    hard_wrong += walk.flags != 0 || !unwind_verify(&walk, frame[1], (uintptr_t)(frame + 2), frame[0]);
    AFTER_CALL();
}
static NOINLINE void hard_inner(void) { hard_leaf(); hard_leaf(); AFTER_CALL(); }
static NOINLINE void hard_middle(void) { char bytes[100]; USES(bytes); hard_frame(hard_inner); AFTER_CALL(); }

static void test_hard(void)
{
    hard_stack = new_stack();
    for (int i = 0; i < 3; i++) {
        hard_middle();
        hard_frame(hard_middle);
    }
    CHECK_EQUAL(hard_leaves, 12);
    CHECK_EQUAL(hard_wrong, 0);
}

/* --- States that no program has ----------------------------------------------------------------------------------- */

static uintptr_t seen[4096];
static uint32_t seen_count;

static NOINLINE void collect_leaf(void)
{
    uintptr_t *frame = __builtin_frame_address(0);
    struct unwind_walk walk;
    unwind_reset(hard_stack);
    unwind_walk(hard_stack, frame[1], (uintptr_t)(frame + 2), frame[0], &walk);
    for (uint32_t i = 0; i < walk.count && seen_count < sizeof seen / sizeof seen[0]; i++)
        seen[seen_count++] = walk.addresses[i];
}
static int collect_compare(const void *a, const void *b) { collect_leaf(); return *(const int *)a - *(const int *)b; }
static NOINLINE void collect_alloca(size_t size) { char *bytes = alloca(size); USES(bytes); collect_leaf(); AFTER_CALL(); }
static NOINLINE void collect_realigned(size_t size)
{
    char bytes[64] __attribute__((aligned(64))), *more = alloca(size);
    USES(bytes);
    USES(more);
    collect_leaf();
    AFTER_CALL();
}

/* Whatever the registers and the stack hold, a walk ends and touches nothing that cannot be touched. */
static void test_nonsense(void)
{
    enum { WORDS = 512 };
    hard_stack = new_stack();
    int numbers[5] = {3, 1, 4, 1, 5};
    qsort(numbers, 5, sizeof numbers[0], collect_compare);
    collect_alloca(40);
    collect_realigned(40);
    uint64_t random = 88172645463325252ull;
    unsigned ended = 0, rounds = 30000;
    /* A stack with a page before and behind it that cannot be touched. */
    char *memory = mmap(NULL, WORDS * 8 + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uintptr_t *words = (uintptr_t *)(memory + 4096);
    mprotect(words, WORDS * 8, PROT_READ | PROT_WRITE);
    for (unsigned round = 0; round < rounds; round++) {
        struct unwind_walk walk;
        uintptr_t odd[] = {0, 8, UINTPTR_MAX, (uintptr_t)memory, (uintptr_t)memory + 4088, (uintptr_t)(words + WORDS),
                           (uintptr_t)(words + WORDS - 1), 0x4141414141414141, 1ull << 63, (uintptr_t)words + 3};
        for (unsigned i = 0; i < 3 * WORDS / (1 + round % 7); i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            uintptr_t *word = &words[random % WORDS];
            switch (random >> 32 & 3) {
            case 0: *word = seen[(random >> 40) % seen_count]; break;
            case 1: *word = (uintptr_t)&words[random >> 40 & (WORDS - 1)]; break;
            case 2: *word = odd[(random >> 40) % (sizeof odd / sizeof odd[0])]; break;
            default: *word = random;
            }
        }
        uintptr_t pc = seen[(random >> 20) % seen_count], sp = (uintptr_t)&words[random % (WORDS / 4)];
        uintptr_t bp = random & 1 ? words[random % WORDS] : (uintptr_t)&words[random >> 9 & (WORDS - 1)];
        ended++;
        if (unwind_known(hard_stack, pc, sp, bp))
            continue;
        unwind_walk(hard_stack, pc, sp, bp, &walk);
        for (uint32_t i = walk.kept; i < walk.count; i++)
            walk.nodes[i] = i + 1;
        if (walk.count > 0)
            unwind_remember(hard_stack, &walk, (struct unwind_leaf){1, walk.count});
    }
    CHECK_EQUAL(ended, rounds);
    munmap(memory, WORDS * 8 + 8192);
}
#else
static void test_hard(void) {}
static void test_nonsense(void) {}
#endif

/* --- Ends --------------------------------------------------------------------------------------------------------- */

static void test_broken(void)
{
#if defined(__x86_64__)
    /* Code without unwind entry or frame pointer: the stack ends there and says so. */
    static const uint64_t nowhere[4] = {1, 2, 3, 4};
    static const uint8_t called[16] = {0xe8};
    struct unwind_stack *stack = new_stack();
    struct unwind_walk walk;
    uint64_t words[8];
    uint8_t *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uintptr_t pc = (uintptr_t)code + 64, sp = (uintptr_t)words;
    const uintptr_t implausible[] = {0x4141414141414141, sp - 64, sp + (1 << 20), sp + 3, (uintptr_t)nowhere, 8};
    for (size_t i = 0; i < sizeof implausible / sizeof implausible[0]; i++) {
        unwind_walk(stack, pc, sp, implausible[i], &walk);
        CHECK_EQUAL(walk.count, 1);
        CHECK_EQUAL(walk.addresses[0], pc);
        CHECK_EQUAL(walk.flags, UNWIND_BROKEN);
    }
    /* A frame pointer of 0 is the outermost frame's. */
    unwind_walk(stack, pc, sp, 0, &walk);
    CHECK(walk.count == 1 && walk.flags == 0);
    /* A frame record whose return address follows no call is none. */
    words[2] = 0;
    words[3] = (uintptr_t)&nowhere[2];
    unwind_walk(stack, pc, sp, (uintptr_t)&words[2], &walk);
    CHECK(walk.count == 1 && walk.flags == UNWIND_BROKEN);
    /* With a call before it, it is; and so is one in the same generated code, since interpreters push such. */
    words[3] = (uintptr_t)&called[5];
    unwind_reset(stack);
    unwind_walk(stack, pc, sp, (uintptr_t)&words[2], &walk);
    CHECK(walk.count == 2 && walk.addresses[0] == words[3] && walk.flags == 0);
    words[3] = pc + 64;
    unwind_walk(stack, pc, sp, (uintptr_t)&words[2], &walk);
    CHECK(walk.count == 2 && walk.addresses[0] == words[3] && walk.flags == 0);
    /* The same memory with another word in it: what was kept does not hold. */
    words[2] = 0x41;
    unwind_walk(stack, pc, sp, (uintptr_t)&words[2], &walk);
    CHECK(walk.count == 2 && walk.flags == UNWIND_BROKEN);
    munmap(code, 4096);
#endif
}

static sigjmp_buf escape;
static struct unwind_stack *interrupted_stack;

static NOINLINE void interrupted_leaf(struct unwind_walk *walk)
{
    uintptr_t *frame = __builtin_frame_address(0);
    unwind_walk(interrupted_stack, frame[1], (uintptr_t)(frame + 2), frame[0], walk);
}
static NOINLINE void way_one(struct unwind_walk *walk) { char bytes[64]; USES(bytes); interrupted_leaf(walk); AFTER_CALL(); }
static NOINLINE void way_two(struct unwind_walk *walk) { char bytes[64]; USES(bytes); interrupted_leaf(walk); AFTER_CALL(); }

static void on_timer(int number)
{
    (void)number;
    siglongjmp(escape, 1);
}

/* A signal handler that jumps out of a walk at any moment leaves a stack that walks right. */
static void test_jump_out_of_walk(void)
{
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_NODEFER};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    static unsigned wrong, jumps;
    struct unwind_walk walk;
    timer_t timer;
    interrupted_stack = new_stack();
    sigaction(SIGRTMIN, &action, NULL);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    for (volatile unsigned i = 0; i < 2000; i++) {
        struct itimerspec soon = {.it_value = {.tv_nsec = 1000 + i * 37 % 9000}};
        if (sigsetjmp(escape, 1) == 0) {
            timer_settime(timer, 0, &soon, NULL);
            for (;;) {
                way_one(&walk);
                way_two(&walk);
            }
        }
        jumps++;
        for (int way = 0; way < 2; way++) {
            static uint64_t first[UNWIND_DEPTH_LIMIT];
            uint32_t count = 0;
            /* With what the walk that was left has kept, with what that one keeps, and with nothing. */
            for (volatile int again = 0; again < 3; again++) {
                if (again == 2)
                    unwind_reset(interrupted_stack);
                (way ? way_one : way_two)(&walk);
                if (again == 0)
                    memcpy(first, walk.addresses, (count = walk.count) * sizeof first[0]);
                wrong += walk.count != count || memcmp(walk.addresses, first, count * sizeof first[0]) != 0;
            }
        }
    }
    timer_delete(timer);
    CHECK_EQUAL(wrong, 0);
    CHECK_EQUAL(jumps, 2000);
}

int main(void)
{
    bool checked = unwind_start(true, UNWIND_DEPTH_LIMIT);
#if defined(__x86_64__) && defined(__GLIBC__)
    CHECK(checked);
#endif
    /* Without libunwind the two walks of ours are compared. */
    test_random_trees();
    test_deep();
    if (checked)
        test_hard();       /* frames that only libunwind can step out of; there is none for musl */
    test_nonsense();
    test_broken();
    test_jump_out_of_walk();
    return CHECK_REPORT();
}
