/* SPDX-License-Identifier: MIT
 *
 * message_test.c: one line, safe for a terminal, to the standard error that was there at the start and to no other file.
 */
#define _GNU_SOURCE 1
#include "check.h"

#include "message.h"
#include "settings.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int make_file(const char *name) { return open(name, O_RDWR | O_CREAT | O_TRUNC, 0600); }

/* What is in the file now; it is emptied. */
static const char *contents(int file)
{
    static char text[8192];
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    text[length < 0 ? 0 : length] = '\0';
    CHECK(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
    return text;
}

int main(void)
{
    int terminal = dup(2), file = make_file("message"), other = make_file("other");
    CHECK(terminal >= 0 && file >= 0 && other >= 0);
    CHECK(dup2(file, 2) == 2);

    message_line("before the start", NULL);
    CHECK(strcmp(contents(file), "") == 0);
    message_start();
    message_line("cannot make ", "x", ": ", message_error(-EACCES), NULL);
    CHECK(strcmp(contents(file), "genmark: cannot make x: permission denied\n") == 0);
    message_line("a\nb\033[2J\x7f\tc", NULL);
    CHECK(strcmp(contents(file), "genmark: a?b?[2J??c\n") == 0);

    static char endless[5000];
    memset(endless, 'e', sizeof endless - 1);
    message_line(endless, endless, NULL);
    const char *cut = contents(file);
    CHECK(strlen(cut) < 1100 && text_starts(cut, "genmark: eee") && cut[strlen(cut) - 1] == '\n');

    settings.quiet = true;
    message_line("quiet", NULL);
    CHECK(strcmp(contents(file), "") == 0);
    settings.quiet = false;

    CHECK(dup2(other, 2) == 2);              /* the program has a file of its own there */
    message_line("into the program's file", NULL);
    CHECK(strcmp(contents(other), "") == 0);
    CHECK(close(2) == 0);
    message_line("nowhere", NULL);

    CHECK(dup2(file, 2) == 2);
    for (int i = 0; i < 20; i++)
        message_line("again", NULL);
    const char *all = contents(file);
    int lines = 0;
    for (const char *c = all; *c; c++)
        lines += *c == '\n';
    CHECK_EQUAL(lines, MESSAGE_LIMIT - 3);   /* three were written above */

    CHECK(dup2(terminal, 2) == 2);
    CHECK(strcmp(message_error(ENOSPC), message_error(-ENOSPC)) == 0 && message_error(9999) != NULL);
    CHECK(unlink("message") == 0 && unlink("other") == 0);

    char buffer[8];
    struct text text = text_in(buffer, sizeof buffer);
    text_add_number(&text, 0);
    text_add_padded(&text, 7, 3);
    CHECK(strcmp(buffer, "0007") == 0 && !text.cut);
    text_add_number(&text, UINT64_MAX);
    CHECK(strcmp(buffer, "0007184") == 0 && text.cut && text.length == 7);
    return CHECK_REPORT();
}
