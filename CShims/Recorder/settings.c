/* SPDX-License-Identifier: MIT
 *
 * settings.c: reads the environment by the table in settings_table.h.
 */
#include "settings.h"

#include "message.h"
#include "text.h"

#include <signal.h>

#define SETTING(field_, name_, kind_, usual_, least_, most_, meaning_) .field_ = usual_,
struct settings settings = {
#include "settings_table.h"
};
#undef SETTING

#define SETTING(field_, name_, kind_, usual_, least_, most_, meaning_) \
    {.name = name_, .kind = SETTINGS_##kind_, .least = least_, .most = most_, .field = offsetof(struct settings, field_)},
const struct settings_row settings_rows[] = {
#include "settings_table.h"
};
#undef SETTING
const size_t settings_row_count = sizeof settings_rows / sizeof settings_rows[0];

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool equal_any_case(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) == lower(*b);
}

/* Leading digits; false when there are none or the number does not fit. `end` is after them. */
static bool parse_digits(const char *text, uint64_t *number, const char **end)
{
    if (!is_digit(*text))
        return false;
    *number = 0;
    for (; is_digit(*text); text++) {
        if (__builtin_mul_overflow(*number, 10u, number))
            return false;
        if (__builtin_add_overflow(*number, (uint64_t)(*text - '0'), number))
            return false;
    }
    *end = text;
    return true;
}

static bool parse_flag(const char *text, bool *flag)
{
    static const char *const words[][2] = {{"0", "1"}, {"no", "yes"}, {"false", "true"}, {"off", "on"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (int value = 0; value <= 1; value++) {
            if (equal_any_case(text, words[i][value])) {
                *flag = value == 1;
                return true;
            }
        }
    }
    return false;
}

static bool parse_size(const char *text, uint64_t *size)
{
    static const struct {
        const char *unit;
        uint64_t bytes;
    } units[] = {
        {"", 1},           {"b", 1},
        {"k", 1ull << 10}, {"kib", 1ull << 10}, {"kb", 1000},
        {"m", 1ull << 20}, {"mib", 1ull << 20}, {"mb", 1000000},
        {"g", 1ull << 30}, {"gib", 1ull << 30}, {"gb", 1000000000},
        {"t", 1ull << 40}, {"tib", 1ull << 40}, {"tb", 1000000000000},
    };
    uint64_t number;
    const char *unit;
    if (!parse_digits(text, &number, &unit))
        return false;
    if (*unit == ' ')
        unit++;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (equal_any_case(unit, units[i].unit))
            return !__builtin_mul_overflow(number, units[i].bytes, size);
    }
    return false;
}

/* Signals that mean a fault, or that cannot be caught, cannot be a user's wish for a mark; 32 and 33 are the C library's. */
static bool can_mark(uint64_t number)
{
    static const uint8_t never[] = {0, SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, 32, 33};
    for (size_t i = 0; i < sizeof never; i++) {
        if (number == never[i])
            return false;
    }
    return number <= 64;
}

static bool parse_signal(const char *text, int *signal)
{
    static const struct {
        const char *name;
        int number;
    } names[] = {
        {"HUP", SIGHUP},   {"INT", SIGINT},       {"QUIT", SIGQUIT}, {"USR1", SIGUSR1},   {"USR2", SIGUSR2},
        {"PIPE", SIGPIPE}, {"ALRM", SIGALRM},     {"TERM", SIGTERM}, {"CHLD", SIGCHLD},   {"CONT", SIGCONT},
        {"TSTP", SIGTSTP}, {"TTIN", SIGTTIN},     {"TTOU", SIGTTOU}, {"URG", SIGURG},     {"XCPU", SIGXCPU},
        {"XFSZ", SIGXFSZ}, {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF}, {"WINCH", SIGWINCH}, {"IO", SIGIO},
        {"PWR", SIGPWR},
    };
    enum { REALTIME_FIRST = 34, REALTIME_LAST = 64 };      /* SIGRTMIN is a call, and glibc and musl leave these */
    uint64_t number;
    const char *end;
    if (is_digit(*text)) {
        if (!parse_digits(text, &number, &end) || *end != '\0' || !can_mark(number))
            return false;
        *signal = (int)number;
        return true;
    }
    if (lower(text[0]) == 's' && lower(text[1]) == 'i' && lower(text[2]) == 'g')
        text += 3;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (equal_any_case(text, names[i].name)) {
            *signal = names[i].number;
            return true;
        }
    }
    bool from_first = text_starts(text, "RTMIN");
    if (!from_first && !text_starts(text, "RTMAX"))
        return false;
    text += 5;
    if (*text == '\0') {
        number = 0;
    } else if (*text != (from_first ? '+' : '-') || !parse_digits(text + 1, &number, &end) || *end != '\0') {
        return false;
    }
    if (number > REALTIME_LAST - REALTIME_FIRST)
        return false;
    *signal = from_first ? REALTIME_FIRST + (int)number : REALTIME_LAST - (int)number;
    return true;
}

bool settings_parse(const struct settings_row *row, const char *text, struct settings *into)
{
    void *field = (char *)into + row->field;
    uint64_t number;
    const char *end;
    if (*text == '\0')
        return true;
    switch (row->kind) {
    case SETTINGS_TEXT: {
        if (text_length(text) >= SETTINGS_TEXT_SIZE)
            return false;
        struct text copy = text_in(field, SETTINGS_TEXT_SIZE);
        text_add(&copy, text);
        return true;
    }
    case SETTINGS_FLAG: return parse_flag(text, field);
    case SETTINGS_SIGNAL: return parse_signal(text, field);
    case SETTINGS_COUNT:
        if (!parse_digits(text, &number, &end) || *end != '\0' || number < row->least || number > row->most)
            return false;
        *(uint32_t *)field = (uint32_t)number;
        return true;
    case SETTINGS_SIZE:
        if (!parse_size(text, &number) || number < row->least || number > row->most)
            return false;
        *(uint64_t *)field = number;
        return true;
    }
    return false;
}

const char *settings_find(char *const *environment, const char *name)
{
    if (environment == NULL)
        return NULL;
    size_t length = text_length(name);
    for (; *environment != NULL; environment++) {
        if (text_starts(*environment, name) && (*environment)[length] == '=')
            return *environment + length + 1;
    }
    return NULL;
}

void settings_read(char *const *environment)
{
    static bool done;
    if (done)
        return;
    done = true;
    const char *wrong[sizeof settings_rows / sizeof settings_rows[0]] = {NULL};
    for (size_t i = 0; i < settings_row_count; i++) {
        const char *text = settings_find(environment, settings_rows[i].name);
        if (text != NULL && !settings_parse(&settings_rows[i], text, &settings))
            wrong[i] = text;
    }
    message_start();
    for (size_t i = 0; i < settings_row_count; i++) { /* after all are read: GENMARK_QUIET may be the last */
        if (wrong[i] == NULL)
            continue;
        message_line(settings_rows[i].name, "=", wrong[i], " is not a value of this setting: its default is used",
                     NULL);
    }
}
