/* SPDX-License-Identifier: MIT */
/* 62 blocks that libc makes and the program frees, and the other way round
 * family: D contract
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 62 ok
 * HOLDS: exit 0, same stdout. getline, asprintf, realpath, getcwd, open_memstream, scandir, regcomp, getdelim with a buffer of
 * ours, tsearch's nodes: each is balanced when the program has freed it.
 * LIVE gen=last site=kept_copies blocks=5 bytes=55
 * ABSENT site=balanced */
#include "mark.h"
#include <dirent.h>
#include <malloc.h>
#include <regex.h>
#include <search.h>
#include <wchar.h>
static int compare(const void *a, const void *b) { return strcmp(a, b); }
SITE static void *kept_copies(void) { void *p = strdup("ten bytes!"); KEEP(p); return p; }
SITE static void balanced(void) {
    char *line = malloc(1), *text, *path, *memory;
    size_t room = 1, length;
    FILE *f = tmpfile();
    CHECK(line && f && fprintf(f, "%5000d\n%s\n", 1, "short") > 0);
    rewind(f);
    CHECK(getline(&line, &room, f) == 5001 && getdelim(&line, &room, 'h', f) == 2);
    free(line);
    fclose(f);
    CHECK(asprintf(&text, "%s %d", "text", 5) > 0);
    free(text);
    CHECK((path = realpath("/proc/self", 0)) && (text = getcwd(0, 0)));
    free(path);
    free(text);
    f = open_memstream(&memory, &length);
    CHECK(f && fprintf(f, "%30000d", 1) == 30000 && fclose(f) == 0);
    free(memory);
    struct dirent **names;
    int count = scandir("/", &names, 0, alphasort);
    CHECK(count > 0);
    while (count--) free(names[count]);
    free(names);
    regex_t re;
    CHECK(!regcomp(&re, "^(a|b)*[[:alpha:]]+$", REG_EXTENDED) && !regexec(&re, "ababx", 0, 0, 0));
    regfree(&re);
    void *root = 0;
    CHECK(tsearch("one", &root, compare) && tsearch("two", &root, compare));
    tdelete("one", &root, compare);
    tdelete("two", &root, compare);
    wchar_t *wide = wcsdup(L"wide");
    CHECK(wide);
    free(wide);
    unsetenv("CASE62");
}
int main(void) {
    alarm(20);
    balanced();
    MARK("last");
    for (int i = 0; i < 50; i++) balanced();
    for (int i = 0; i < 5; i++) CHECK(kept_copies());
    struct mallinfo2 info = mallinfo2();
    CHECK(mallopt(M_PERTURB, 0x55) == 1 && info.uordblks > 0);
    malloc_trim(0);
    printf("62 ok\n");
    return 0;
}
