/* SPDX-License-Identifier: MIT
 *
 * lock.h: the spin lock of the recorder's slow paths (a new node, a new cell, a new thread). Nothing on the way of an
 * ordinary malloc or free takes one.
 *
 * Ranks, to be taken in this order only: thread pool, rules (unwind), modules, call tree, cells, side table, trace
 * (gm_lock). A thread that left the recorder by a longjmp out of a signal handler finds its own id in the lock
 * and goes on: what the locks guard is published last, so half a step is no damage. The lock of one that ended in a signal
 * handler (pthread_exit, an asynchronous cancel) is taken over.
 */
#ifndef GENMARK_LOCK_H
#define GENMARK_LOCK_H

#include "compiler.h"
#include "os.h"

enum { LOCK_SPINS = 64, LOCK_YIELDS_BEFORE_CHECK = 1024 };

struct recorder_lock {
    uint32_t owner;        /* thread id, 0 free. Acquire on taking pairs with the release on giving back */
};

GM_INLINE void recorder_lock(struct recorder_lock *lock, uint32_t tid)
{
    for (unsigned tries = 0;; tries++) {
        uint32_t found = 0;
        if (__atomic_compare_exchange_n(&lock->owner, &found, tid, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) || found == tid)
            return;
        if (tries > LOCK_SPINS)
            os_yield();
        if (GM_UNLIKELY(tries % LOCK_YIELDS_BEFORE_CHECK == LOCK_YIELDS_BEFORE_CHECK - 1) && !os_thread_exists((int)found) &&
            __atomic_compare_exchange_n(&lock->owner, &found, tid, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
    }
}

GM_INLINE void recorder_unlock(struct recorder_lock *lock) { __atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE); }

#endif
