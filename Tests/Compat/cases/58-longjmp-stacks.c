/* SPDX-License-Identifier: MIT */
/* 58 coroutines that switch by longjmp, on stacks from malloc, and move between threads
 * family: F stacks
 * CC: gcc
 * FLAGS: -O1 -fno-builtin -U_FORTIFY_SOURCE
 * OUT: 58 ok steps=4000
 * HOLDS: exit 0, same stdout. Stacks are blocks of the heap, freed and given out again; a coroutine that began in one thread
 * goes on in another. What a thread's last walk knew is true no more, and no frame may be taken from it.
 * LIVE gen=last site=step_kept blocks=400 bytes=13600
 * ABSENT site=step_temp */
#include "mark.h"
#include <pthread.h>
#include <setjmp.h>
#include <ucontext.h>
enum { COROUTINES = 40, STEPS = 10, ROUNDS = 10, SIZE = 32768 };
struct coroutine { ucontext_t first; jmp_buf inside, outside; char *stack; int begun, steps; };
static struct coroutine all[COROUTINES];
static int steps;
SITE static void *step_kept(void) { void *p = malloc(34); KEEP(p); return p; }
SITE static void *step_temp(size_t n) { void *p = malloc(n); KEEP(p); return p; }
static void run(int id) {
    struct coroutine *c = &all[id];
    for (;;) {
        free(step_temp((size_t)(c->steps * 37 % 900 + 1)));
        if (c->steps % STEPS == 0) CHECK(step_kept());
        c->steps++, steps++;
        if (_setjmp(c->inside) == 0) _longjmp(c->outside, 1);
    }
}
static void step(int id) {
    struct coroutine *c = &all[id];
    if (_setjmp(c->outside) != 0) return;
    if (c->begun) _longjmp(c->inside, 1);
    c->begun = 1;
    setcontext(&c->first);
}
static void *steps_of(void *from) {
    for (int i = (int)(long)from; i < COROUTINES; i += 2) step(i);
    return 0;
}
int main(void) {
    alarm(40);
    MARK("last");
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < COROUTINES; i++) {
            all[i].stack = malloc(SIZE);
            all[i].begun = all[i].steps = 0;
            CHECK(all[i].stack && !getcontext(&all[i].first));
            all[i].first.uc_stack.ss_sp = all[i].stack;
            all[i].first.uc_stack.ss_size = SIZE;
            makecontext(&all[i].first, (void (*)(void))run, 1, i);
        }
        for (int s = 0; s < STEPS; s++) {
            pthread_t t;
            CHECK(!pthread_create(&t, 0, steps_of, (void *)(long)(s & 1)) && !pthread_join(t, 0));
            steps_of((void *)(long)!(s & 1));
        }
        for (int i = 0; i < COROUTINES; i++) free(all[i].stack);
    }
    printf("58 ok steps=%d\n", steps);
    return 0;
}
