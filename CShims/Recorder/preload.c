/* SPDX-License-Identifier: MIT
 *
 * preload.c: see preload.h.
 */
#include "preload.h"

#include "os.h"
#include "output.h"
#include "settings.h"
#include "text.h"

#include <stdint.h>

enum {
    LIST_SIZE = 8192,          /* longest LD_PRELOAD that is edited; a longer one is left as it is */
    HANDED_SIZE = 8192         /* GENMARK_… settings handed on: a path and some short ones */
};

static const char variable[] = "LD_PRELOAD=";

static char library[OUTPUT_PATH_SIZE];      /* ours, absolute; "" before the start */
/* "LD_PRELOAD=…" as it was found (ours by its absolute path), and without ours. */
static char whole[LIST_SIZE], rest[LIST_SIZE];
/* "GENMARK_…=…" settings that were given, each ended by a zero byte. */
static char handed[HANDED_SIZE];
static size_t handed_length, handed_count;

static bool is_separator(char c) { return c == ' ' || c == ':'; }

static const char *token_end(const char *token)
{
    while (*token != '\0' && !is_separator(*token))
        token++;
    return token;
}

/* Whether one entry of LD_PRELOAD is our library: by name, else by file. */
static bool is_ours(const char *token, size_t length)
{
    char path[OUTPUT_PATH_SIZE];
    struct text text = text_in(path, sizeof path);
    text_add_bytes(&text, token, length);
    if (text.cut || library[0] == '\0')
        return false;
    if (text_equal(text_base(path), text_base(library)))
        return true;
    struct os_file theirs, ours;
    return text_base(path) != path && os_stat(path, &theirs) == 0 && os_stat(library, &ours) == 0 &&
           theirs.device == ours.device && theirs.inode == ours.inode;
}

static bool has_ours(const char *list)
{
    for (;;) {
        while (is_separator(*list))
            list++;
        if (*list == '\0')
            return false;
        const char *end = token_end(list);
        if (is_ours(list, (size_t)(end - list)))
            return true;
        list = end;
    }
}

/* Copies a list: with `keep`, ours as an absolute path; without, ours left out. Number of entries. */
static size_t copy_list(struct text *into, const char *list, bool keep)
{
    size_t count = 0;
    for (;;) {
        while (is_separator(*list))
            list++;
        if (*list == '\0')
            return count;
        const char *end = token_end(list);
        bool ours = is_ours(list, (size_t)(end - list));
        if (!ours || keep) {
            if (count++ > 0)
                text_add(into, ":");
            if (ours)
                text_add(into, library);
            else
                text_add_bytes(into, list, (size_t)(end - list));
        }
        list = end;
    }
}

static void remember_settings(char *const *environment)
{
    struct text text = text_in(handed, sizeof handed);
    char absolute[OUTPUT_PATH_SIZE];
    for (size_t i = 0; i < settings_row_count; i++) {
        const char *name = settings_rows[i].name;
        const char *value = settings_find(environment, name);
        if (!value || text_length(value) >= SETTINGS_TEXT_SIZE)
            continue;
        if (text_equal(name, "GENMARK_OUTPUT") && value[0] != '\0' && output_absolute(value, absolute))
            value = absolute;
        size_t before = text.length;
        text_add(&text, name);
        text_add(&text, "=");
        text_add(&text, value);
        text_add_bytes(&text, "", 1);
        if (text.cut) {
            text = (struct text){ .bytes = handed, .size = sizeof handed, .length = before };
            continue;
        }
        handed_count++;
    }
    handed_length = text.length;
}

/* The setting handed on whose name `entry` ("NAME=…") has, or NULL. */
static char *handed_like(const char *entry)
{
    for (char *setting = handed; setting < handed + handed_length; setting += text_length(setting) + 1) {
        size_t i = 0;
        while (setting[i] != '=' && setting[i] == entry[i])
            i++;
        if (setting[i] == '=' && entry[i] == '=')
            return setting;
    }
    return NULL;
}

void preload_start(char **environment, const char *path, bool keep)
{
    struct text ours = text_in(library, sizeof library);
    if (path[0] != '/') {
        text_add(&ours, output_directory());
        text_add(&ours, "/");
    }
    text_add(&ours, path);
    if (ours.cut)
        library[0] = '\0';
    remember_settings(environment);
    if (!environment)
        return;

    char **to = environment;
    for (char **from = environment; *from; from++) {
        char *entry = *from;
        if (text_starts(entry, variable) && has_ours(entry + sizeof variable - 1)) {
            struct text with = text_in(whole, sizeof whole), without = text_in(rest, sizeof rest);
            text_add(&with, variable);
            text_add(&without, variable);
            copy_list(&with, entry + sizeof variable - 1, true);
            size_t others = copy_list(&without, entry + sizeof variable - 1, false);
            if (with.cut || without.cut) {
                whole[0] = rest[0] = '\0';
            } else if (keep) {
                entry = whole;
            } else if (others > 0) {
                entry = rest;
            } else {
                continue;       /* ours alone: the variable goes */
            }
        } else if (text_starts(entry, "GENMARK_OUTPUT=") && handed_like(entry)) {
            entry = handed_like(entry);      /* absolute: a child may have another working directory */
        }
        *to++ = entry;
    }
    *to = NULL;
}

static const char *list_in(char *const *environment)
{
    const char *list = settings_find(environment, "LD_PRELOAD");
    return list ? list : "";
}

size_t preload_room(char *const *environment)
{
    if (library[0] == '\0' || !environment || has_ours(list_in(environment)))
        return 0;
    size_t count = 0;
    while (environment[count])
        count++;
    size_t list = sizeof variable + text_length(library) + 1 + text_length(list_in(environment));
    return (count + handed_count + 2) * sizeof(char *) + list;
}

char **preload_environment(char *const *environment, void *room)
{
    size_t count = 0;
    while (environment[count])
        count++;
    char **copy = room;
    char *own = (char *)(copy + count + handed_count + 2);
    const char *list = list_in(environment);

    /* Where the list is as we left it, what we were found in is put back, in its order. */
    const char *left = rest[0] != '\0' ? rest + sizeof variable - 1 : "";
    if (whole[0] != '\0' && text_equal(list, left)) {
        own = whole;
    } else {
        struct text text = text_in(own, sizeof variable + text_length(library) + 1 + text_length(list));
        text_add(&text, variable);
        text_add(&text, library);
        if (*list != '\0') {
            text_add(&text, ":");
            text_add(&text, list);
        }
    }

    size_t length = 0;
    for (char *const *entry = environment; *entry; entry++) {
        if (!text_starts(*entry, variable))
            copy[length++] = *entry;
    }
    copy[length++] = own;
    for (char *setting = handed; setting < handed + handed_length; setting += text_length(setting) + 1) {
        bool given = false;
        for (size_t i = 0; i < length && !given; i++)
            given = handed_like(copy[i]) == setting;
        if (!given)
            copy[length++] = setting;
    }
    copy[length] = NULL;
    return copy;
}
