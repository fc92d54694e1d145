// SPDX-License-Identifier: MIT
// 64 a program that replaces operator new and delete, in part
// family: L languages
// CC: g++
// FLAGS: -O1 -std=c++17 -fno-builtin -fno-optimize-sibling-calls
// OUT: 64 ok balance=0 handler=3 nothrow=1
// HOLDS: exit 0, same stdout. The replaced forms put a header before each block, so that every delete must be the
// program's; the array and nothrow forms of the library lead to them; new_handler is asked, and bad_alloc thrown.
// LIVE gen=last site=kept_arrays() blocks=4 bytes=464 (each with its header of 16)
// ABSENT site=temporary()
#include "mark.h"
#include <cstdint>
#include <new>
#include <vector>
#include <string>
static long balance, handled;
struct Header { unsigned long magic, size; };
void *operator new(std::size_t n) {
    for (;;) {
        if (Header *h = static_cast<Header *>(std::malloc(n + sizeof(Header)))) { *h = {0x600d, n}; balance++; return h + 1; }
        std::new_handler f = std::get_new_handler();
        if (!f) throw std::bad_alloc();
        f();
    }
}
void operator delete(void *p) noexcept {
    if (!p) return;
    Header *h = static_cast<Header *>(p) - 1;
    CHECK(h->magic == 0x600d);
    h->magic = 0;
    balance--;
    std::free(h);
}
void operator delete(void *p, std::size_t) noexcept { ::operator delete(p); }
static void give_up() { if (++handled == 3) std::set_new_handler(nullptr); }
SITE static char *kept_arrays() { char *p = new char[100]; KEEP(p); return p; }
SITE static void temporary() {
    std::vector<std::string> all;
    for (int i = 0; i < 100; i++) all.push_back(std::string(static_cast<size_t>(i), 'x'));
    int *one = new int(3);
    delete one;
    delete[] new long[50];
    delete[] new (std::nothrow) long[50];
}
int main() {
    MARK("last");
    for (int i = 0; i < 4; i++) CHECK(kept_arrays());
    for (int i = 0; i < 20; i++) temporary();
    std::set_new_handler(give_up);
    int caught = 0;
    volatile std::size_t huge = PTRDIFF_MAX / 2;
    try { KEEP(::operator new(huge)); } catch (const std::bad_alloc &) { caught = 1; }
    CHECK(caught);
    void *none = ::operator new(huge, std::nothrow);
    std::printf("64 ok balance=%ld handler=%ld nothrow=%d\n", balance - 4, handled, none == nullptr);
    return 0;
}
