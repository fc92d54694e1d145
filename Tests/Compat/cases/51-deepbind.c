/* SPDX-License-Identifier: MIT */
/* 51 libraries loaded with RTLD_DEEPBIND find libc's malloc before anyone else's
 * family: G modules
 * CC: gcc
 * FLAGS: -O1 -fno-builtin -rdynamic -Wl,-rpath,$ORIGIN
 * LIB: 51now -DPLUGIN -Wl,-z,now
 * LIB: 51lazy -DPLUGIN -Wl,-z,lazy
 * LIB: 51found -DPLUGIN -Wl,-z,now
 * OUT: 51 ok plugin program plugin program plugin program
 * HOLDS: exit 0, same stdout: the plug-in still prefers its own symbols. Blocks go both ways between the plug-in and the
 * program: what one allocates the other frees, and none of it may look alive; what the plug-in keeps is seen. A library that is looked for by the
 * program's RUNPATH is found.
 * LIVE gen=last site=plugin_kept blocks=15 bytes=675
 * LIVE gen=last site=program_kept blocks=9 bytes=270
 * ABSENT site=for_plugin
 * ABSENT site=for_program */
#include "mark.h"
#if defined(PLUGIN)
const char *who(void) { return "plugin"; }
SITE static void *plugin_kept(void) { void *p = calloc(1, 45); KEEP(p); return p; }
SITE static void *for_program(void) { void *p = realloc(malloc(10), 77); KEEP(p); return p; }
const char *plugin_name(void) { return who(); }
void *plugin_give(void) { void *p = for_program(); KEEP(p); return p; }
void *plugin_keep(void) { void *p = plugin_kept(); KEEP(p); return p; }
void plugin_take(void *p) { free(p); }
#else
const char *who(void) { return "program"; }
SITE static void *program_kept(void) { void *p = malloc(30); KEEP(p); return p; }
SITE static void *for_plugin(void) { void *p = malloc(99); KEEP(p); return p; }
static void use(const char *path) {
    void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    CHECK(h);
    const char *(*name)(void) = (const char *(*)(void))dlsym(h, "plugin_name");
    void *(*give)(void) = (void *(*)(void))dlsym(h, "plugin_give"), *(*keep)(void) = (void *(*)(void))dlsym(h, "plugin_keep");
    void (*take)(void *) = (void (*)(void *))dlsym(h, "plugin_take");
    CHECK(name && give && keep && take);
    for (int i = 0; i < 300; i++) { free(give()); take(for_plugin()); }
    for (int i = 0; i < 5; i++) CHECK(keep());
    for (int i = 0; i < 3; i++) CHECK(program_kept());
    printf(" %s %s", name(), who());
}
int main(void) {
    MARK("last");
    printf("51 ok");
    use("./51now.so");
    use("./51lazy.so");
    use("51found.so");
    printf("\n");
    return 0;
}
#endif
