// SPDX-License-Identifier: MIT
// 65 exceptions, cancellation and the program's own unwinder through recorded frames
// family: L languages
// CC: g++
// FLAGS: -O1 -std=c++17 -fno-builtin -fno-optimize-sibling-calls -rdynamic
// OUT: 65 ok thrown=400 handler=5 cleaned=40 depth=1 unwound=1
// HOLDS: exit 0, same stdout: backtrace(3) and _Unwind_Backtrace are libgcc's own and see as many frames as each other;
// destructors run on throw, pthread_exit and cancel; bad_alloc comes out of new in all its forms.
// LIVE gen=last site=kept_in_catch(int) blocks=100 bytes=1900
// ABSENT site=guarded(int)
#include "mark.h"
#include <cstdint>
#include <exception>
#include <execinfo.h>
#include <new>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <unwind.h>
#include <vector>
static long cleaned;
struct Guard { char *p; Guard() : p(new char[300]) { KEEP(p); } ~Guard() { delete[] p; __atomic_fetch_add(&cleaned, 1, __ATOMIC_RELAXED); } };
SITE static char *kept_in_catch(int n) { char *p = new char[19]; KEEP(p); (void)n; return p; }
SITE static void guarded(int depth) {
    Guard g;
    if (depth == 0) throw std::runtime_error(std::string(1000, 'x'));
    guarded(depth - 1);
}
static void *leaves(void *how) {
    Guard g;
    if (how) pthread_exit(nullptr);
    for (;;) { delete new int; pthread_testcancel(); }
}
static _Unwind_Reason_Code count(_Unwind_Context *, void *n) { ++*static_cast<int *>(n); return _URC_NO_REASON; }
SITE static void depths(int deep, int *a, int *b) {
    if (deep) { depths(deep - 1, a, b); KEEP(a); return; }
    void *frames[200];
    *a = backtrace(frames, 200);
    *b = 0;
    _Unwind_Backtrace(count, b);
}
static int handled;
static void handler() { if (++handled == 5) throw std::bad_alloc(); }
int main() {
    alarm(40);
    MARK("last");
    int thrown = 0;
    for (int i = 0; i < 100; i++) {
        try { guarded(i % 40); } catch (const std::exception &) { thrown++; CHECK(kept_in_catch(i)); }
        try { try { guarded(2); } catch (...) { delete new long; throw; } } catch (...) { thrown++; }
        std::exception_ptr later;
        try { guarded(1); } catch (...) { later = std::current_exception(); }
        try { std::rethrow_exception(later); } catch (...) { thrown++; }
        volatile std::size_t huge = PTRDIFF_MAX;
        try { KEEP(::operator new(huge - 1)); } catch (const std::bad_alloc &) { thrown++; }
    }
    std::set_new_handler(handler);
    volatile std::size_t huge = PTRDIFF_MAX / 2;
    try { KEEP(new char[huge]); } catch (const std::bad_alloc &) {}
    std::set_new_handler(nullptr);
    CHECK(::operator new(huge, std::nothrow) == nullptr && ::operator new(huge, std::align_val_t(64), std::nothrow) == nullptr);
    cleaned = 0;
    for (int i = 0; i < 40; i++) {
        pthread_t t;
        CHECK(!pthread_create(&t, nullptr, leaves, i & 1 ? &t : nullptr));
        if (!(i & 1)) pthread_cancel(t);
        pthread_join(t, nullptr);
    }
    int a = 0, b = 0;
    depths(20, &a, &b);
    std::printf("65 ok thrown=%d handler=%d cleaned=%ld depth=%d unwound=%d\n", thrown, handled, cleaned, a > 21, b == a || b == a + 1);
    return 0;
}
