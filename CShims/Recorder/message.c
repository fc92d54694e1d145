/* SPDX-License-Identifier: MIT
 *
 * message.c: see message.h. Settings say whether anything may be written; the write itself is os.h's.
 */
#include "message.h"

#include "os.h"
#include "settings.h"
#include "text.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

enum { MESSAGE_SIZE = 1024, STANDARD_ERROR = 2 };

/* What descriptor 2 was at the start; inode 0: there was none. A program that closed it may have a file of its own there. */
static struct os_file at_start;
static uint32_t lines;

static bool standard_error(struct os_file *file) { return os_stat("/proc/self/fd/2", file) == 0; }

void message_start(void)
{
    if (!standard_error(&at_start))
        at_start = (struct os_file){0};
}

/* Whether a line can be written without waiting and without a signal: no pipe that nobody reads, nor a file that may not
 * grow. */
static bool takes_a_line(const struct os_file *file)
{
    struct pollfd waited = {.fd = STANDARD_ERROR, .events = POLLOUT};
    struct timespec none = {0, 0};
    if (os_call(SYS_ppoll, (long)&waited, 1, (long)&none, 0, 0, 0) != 1 || waited.revents != POLLOUT)
        return false;
    return !S_ISREG(file->mode) || os_limit(RLIMIT_FSIZE) == UINT64_MAX;
}

void message_line(const char *part, ...)
{
    if (settings.quiet || at_start.inode == 0)
        return;
    struct os_file now;
    if (!standard_error(&now) || now.device != at_start.device || now.inode != at_start.inode)
        return;
    if (!takes_a_line(&now))
        return;
    if (__atomic_fetch_add(&lines, 1, __ATOMIC_RELAXED) >= MESSAGE_LIMIT)
        return;

    char buffer[MESSAGE_SIZE];
    struct text text = text_in(buffer, sizeof buffer - 1);      /* one byte kept for the end of the line */
    text_add(&text, "genmark: ");
    va_list parts;
    va_start(parts, part);
    for (; part != NULL; part = va_arg(parts, const char *))
        text_add(&text, part);
    va_end(parts);
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)buffer[i];
        if (byte < 0x20 || byte == 0x7f)
            buffer[i] = '?';
    }
    buffer[text.length++] = '\n';
    os_write(STANDARD_ERROR, buffer, text.length);
}

const char *message_error(long error)
{
    switch (error < 0 ? -error : error) {
    case EACCES: return "permission denied";
    case EPERM: return "operation not permitted";
    case ENOENT: return "no such file or directory";
    case ENOTDIR: return "not a directory";
    case EISDIR: return "is a directory";
    case EEXIST: return "file exists";
    case EROFS: return "read-only file system";
    case ENOSPC: return "no space left on device";
    case EDQUOT: return "disk quota exceeded";
    case EFBIG: return "file size limit reached";
    case EMFILE:
    case ENFILE: return "too many open files";
    case ENOMEM: return "not enough memory";
    case ENAMETOOLONG: return "name too long";
    case ELOOP: return "too many symbolic links";
    case EIO: return "input/output error";
    case ENOSYS: return "not supported by this system";
    case EOPNOTSUPP:
    case ENODEV: return "not supported by this file system";
    default: return "the system refused";
    }
}
