/* SPDX-License-Identifier: MIT
 *
 * module.h: which loaded object an address lies in, kept in a table of our own so that no hook enters the
 * loader. Objects are found by the lock-free _dl_find_object where libc has it (weak), else by a scan
 * outside the hooks.
 */
#ifndef GENMARK_MODULE_H
#define GENMARK_MODULE_H

#include <stdbool.h>
#include <stdint.h>

/* Where unwind tables of an object are. */
struct module_tables {
    uintptr_t start, end;          /* mapped range */
    const uint8_t *eh_frame_hdr;   /* NULL: the object has none */
    uint32_t module;               /* id in the trace, or 0 */
};

/* Called once, outside any hook, before the first module_find: learns what only the system knows (the path of the
 * program, where the vDSO is), then scans. */
void module_start(void);

/* The same for unwinding: the tables that the loader names now, without a look into the table or the trace; `module` is 0. */
bool module_tables_at(uintptr_t address, struct module_tables *tables);

/* The object that `address` lies in; registers it in the trace (path, build-id, range) the first time it is met while there
 * is a trace. False when in none. No allocation, no loader lock. Async-signal-safe: yes. */
bool module_find(uintptr_t address, struct module_tables *tables);

/* Where libc has no _dl_find_object: scans the loaded objects now. Takes the loader's lock: only at the start and after
 * dlopen, never in a hook. Otherwise does nothing. */
void module_scan(void);

/* After dlclose: calls `gone` for every object that was met and is not loaded any more, after writing its end into the
 * trace. An object that another one has replaced at the same addresses is gone. Outside the hooks only. */
void module_sweep(void (*gone)(uint32_t module, uintptr_t start, uintptr_t end));

/* The same for the object at one address, which must be one in use: of a frame of the calling thread. True when what was known
 * of that address was of another object. May be called in hooks. */
bool module_recheck(uintptr_t address, void (*gone)(uint32_t module, uintptr_t start, uintptr_t end));

/* In the child of a fork, before it begins a trace of its own: objects are registered anew when met. Resets the lock, which
 * a thread of the parent may have held. */
void module_forget_all(void);

#endif
