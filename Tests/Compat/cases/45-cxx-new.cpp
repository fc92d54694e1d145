// SPDX-License-Identifier: MIT
// 45 every form of operator new and delete, with exceptions
// family: L languages
// CC: g++
// FLAGS: -O1 -std=c++17 -fno-builtin -fno-optimize-sibling-calls
// OUT: 45 ok caught=3
// HOLDS: exit 0, same stdout.  C++ frames are demangled; blocks from new are
// freed by the matching delete; a throwing constructor gives its memory back;
// bad_alloc passes through the tracker's frames; nothing is counted twice.
// LIVE gen=last site=Store<int>::grow(unsigned long) blocks=4 bytes=160
// LIVE gen=last site=make_aligned() blocks=1 bytes=128 (64-byte aligned)
// LIVE gen=last site=make_array() blocks=1 bytes=96
// ABSENT site=Thrower, site=deleted()
#include "mark.h"
#include <cstdint>
#include <cstdio>
#include <new>
#include <stdexcept>
template <class T> struct Store {
    T *p;
    SITE void grow(unsigned long n) { p = (T *)::operator new(n * sizeof(T)); KEEP(p); }
};
struct alignas(64) Wide { char c[128]; };
struct Thrower { char big[500]; Thrower() { throw std::runtime_error("ctor"); } };
SITE static Wide *make_aligned() { Wide *w = new Wide; KEEP(w); return w; }
SITE static double *make_array() { double *d = new double[12]; KEEP(d); return d; }
SITE static void deleted() {
    Wide *w = new Wide;
    KEEP(w);
    delete w;                                        // aligned, sized delete
    char *a = new char[77], *b = new (std::nothrow) char[78];
    KEEP(a); KEEP(b);
    delete[] a;
    ::operator delete(b, std::nothrow);
    int *s = new int(5);
    KEEP(s);
    ::operator delete(s, sizeof(int));               // sized delete
}
int main() {
    int caught = 0;
    volatile std::size_t huge = SIZE_MAX / 4;
    MARK("last");
    Store<int> s;
    for (int i = 0; i < 4; i++) s.grow(10);
    CHECK((uintptr_t)make_aligned() % 64 == 0 && make_array());
    for (int i = 0; i < 20; i++) deleted();
    for (int i = 0; i < 2; i++)
        try { new Thrower; } catch (const std::runtime_error &) { caught++; }
    try { KEEP(::operator new(huge)); } catch (const std::bad_alloc &) { caught++; }
    CHECK(::operator new(huge, std::nothrow) == nullptr);
    std::printf("45 ok caught=%d\n", caught);
    return 0;
}
