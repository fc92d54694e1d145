/* SPDX-License-Identifier: MIT
 *
 * os.h: the operating system as the recorder sees it: raw system calls behind one contract.
 *
 * Contract of every function here: no errno is read or written, no cancellation point, no allocation, no
 * libc call that could be hooked (by us or by the program), no descriptor left open. Errors come back as
 * -errno or as NULL/false and say so. May block in the kernel. Async-signal-safe: yes, all.
 */
#ifndef GENMARK_OS_H
#define GENMARK_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A raw system call; -errno on failure. */
long os_call(long number, long a, long b, long c, long d, long e, long f);

/* Private zeroed memory in small pages, not reserved, left out of core dumps; NULL when the kernel refuses. */
void *os_map(size_t size);
/* The same, and zeroed again in the child of a fork (so that a child never sees the parent's records). */
void *os_map_wiped_on_fork(size_t size);
/* Tables that mean nothing in the child of a fork: it does not get them. The child saves the copying, and the address space
 * when it limits itself. Returns `start`. */
void *os_keep_from_children(void *start, size_t size);
void os_unmap(void *start, size_t size);
/* Whole pages of a mapping of `size` bytes that lie behind its first `kept` bytes. */
void os_unmap_tail(void *start, size_t size, size_t kept);

/* Gives the memory of whole pages inside the range back to the system: private anonymous memory then reads as zeros. */
void os_give_back(void *start, size_t size);

/* Takes the pages of private anonymous memory away to another address, which comes back, and leaves zeros, in one step: a store of
 * another thread is in the one or in the other. NULL where the kernel can not (before 5.7). os_unmap it. */
void *os_move_pages(void *start, size_t size);
/* A byte for each page, of which the lowest bit says whether it is in memory. False when that is not to be known. */
bool os_resident(const void *start, size_t size, uint8_t *resident);

/* All signals but those that can not be, and what to restore. False when it could not be done. */
bool os_block_signals(uint64_t *before);
void os_restore_signals(uint64_t signals);

enum { OS_PAGE = 4096, OS_HUGE_PAGE = 2 << 20 };
/* As os_map, on a boundary of huge pages. */
void *os_map_aligned(size_t size);
/* Asks for huge pages in what lies whole in the range and is touched from now on: for tables that are large and looked into at
 * random, where misses of the address translation would cost more than the look-up. */
void os_prefer_huge(void *start, size_t size);

/* True when every page of the range can be written without a signal; false on a full disk or past a limit. */
bool os_populate(void *start, size_t size);

int os_pid(void);
int os_parent_pid(void);
int os_tid(void);
/* False only when no thread with that id exists in our pid namespace. */
bool os_thread_exists(int tid);
void os_yield(void);

/* CLOCK_MONOTONIC and CLOCK_REALTIME. */
uint64_t os_monotonic_ns(void);
uint64_t os_realtime_ns(void);

/* Reads at most size-1 bytes of a file and ends them with a zero byte; bytes read or -errno. Opens and closes
 * a descriptor: never called from malloc or free, only at the start and when the program asks for a mark. */
long os_read_file(const char *path, char *buffer, size_t size);
/* Target of a symbolic link, zero-terminated; bytes or -errno. */
long os_read_link(const char *path, char *buffer, size_t size);
long os_write(int descriptor, const void *bytes, size_t size);

struct os_file {
    uint64_t device, inode, size, modified_ns;
    uint32_t mode, owner;
};
/* 0 or -errno. Follows links. */
int os_stat(const char *path, struct os_file *file);
/* Of an open descriptor (empty path, AT_EMPTY_PATH) or of a path below one; flags as for fstatat. */
int os_stat_at(int directory, const char *path, int flags, struct os_file *file);

/* Creates a new file (mode 0600, never an existing one, never through a link), gives it `size` sparse bytes and
 * maps them shared; the child of a fork does not get the mapping. 0 or -errno; -EEXIST leaves the file alone,
 * any other failure removes what was created. */
int os_create_mapped(const char *path, uint64_t size, void **start, struct os_file *file);
/* Cuts the file at `path` to `size` bytes if it is still the one that `file` describes. 0 or -errno. */
int os_cut(const char *path, uint64_t size, const struct os_file *file);
int os_unlink(const char *path);

/* Soft limit of RLIMIT_… ; UINT64_MAX when there is none or it is not known. */
uint64_t os_limit(int resource);

#endif
