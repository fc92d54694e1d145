/* SPDX-License-Identifier: MIT
 *
 * settings.h: the values of the GENMARK_… variables as this process found them at its start. The list of them is in
 * settings_table.h; what is done about them is with whom they concern.
 */
#ifndef GENMARK_SETTINGS_H
#define GENMARK_SETTINGS_H

#include "compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SETTINGS_TEXT_SIZE = 4096 };

struct settings {
    char output[SETTINGS_TEXT_SIZE];   /* as given; "" when not given */
    bool follow;
    bool quiet;
    bool verify;
    uint32_t run;                      /* pid of a `genmark run`; 0: none */
    int mark_signal;                   /* 0: none */
    uint64_t max_memory;               /* bytes */
    uint32_t max_depth;                /* frames */
};

/* Defaults until settings_read; written once, before recording begins, constant after. Copies, no pointers into the
 * environment: programs free and overwrite theirs. */
extern struct settings settings GM_HIDDEN;

/* Reads the settings from `environment` (NULL: as if empty) and reports values that cannot be read. Called by the
 * interposer before recorder_start; a second call does nothing. No allocation. Async-signal-safe: yes. */
void settings_read(char *const *environment);

/* The value of `name` in `environment`, or NULL. (getenv is the program's to replace.) */
const char *settings_find(char *const *environment, const char *name);

/* One row of the table, for tests and for handing settings on to a child. */
enum settings_kind { SETTINGS_TEXT, SETTINGS_FLAG, SETTINGS_COUNT, SETTINGS_SIZE, SETTINGS_SIGNAL };
struct settings_row {
    const char *name;
    enum settings_kind kind;
    uint64_t least, most;              /* COUNT and SIZE */
    size_t field;                      /* offset in struct settings */
};
extern const struct settings_row settings_rows[];
extern const size_t settings_row_count;

/* Reads one value into `into`; false, and `into` as it was, when the text is not a value of that row. An empty text is
 * the default. */
bool settings_parse(const struct settings_row *row, const char *text, struct settings *into);

#endif
