/* SPDX-License-Identifier: MIT */
/* 22 generated machine code without unwind tables calls the allocator
 * family: F stacks
 * CC: gcc
 * FLAGS: -O1 -fno-builtin
 * OUT: 22 ok
 * HOLDS: exit 0, same stdout.  The JIT frame also destroys the frame pointer
 * (it holds 0x41...), so neither CFI nor frame-pointer walking can pass it: the
 * unwinder must stop or mark the stack as incomplete, never read wild memory.
 * The code page is unmapped and overwritten before exit.
 * LIVE gen=last site=jit_inner blocks=3 bytes=384; next frame unnamed (no
 * module), and no frame of it may be given the name of some other function */
#include "mark.h"
#include <sys/mman.h>
SITE static void *jit_inner(size_t n) { void *p = malloc(n); KEEP(p); return p; }
int main(void) {
    void *(*fn)(size_t) = jit_inner;
    MARK("last");
#if defined(__x86_64__)
    unsigned char code[] = {
        0x55,                                           /* push rbp        */
        0x48, 0x83, 0xec, 0x20,                         /* sub  rsp, 32    */
        0x48, 0xbd, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, /* mov rbp, imm */
        0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0,             /* mov  rax, fn    */
        0xff, 0xd0,                                     /* call rax        */
        0x48, 0x83, 0xc4, 0x20,                         /* add  rsp, 32    */
        0x5d, 0xc3 };                                   /* pop rbp; ret    */
    memcpy(code + 17, &fn, 8);
    void *m = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(m != MAP_FAILED);
    memcpy(m, code, sizeof code);
    CHECK(!mprotect(m, 4096, PROT_READ | PROT_EXEC));
    memcpy(&fn, &m, sizeof fn);
#endif
    for (int i = 0; i < 3; i++) {
        char *p = fn(128);
        CHECK(p);
        memset(p, 1, 128);
    }
#if defined(__x86_64__)
    CHECK(!munmap(m, 4096));
#endif
    printf("22 ok\n");
    return 0;
}
