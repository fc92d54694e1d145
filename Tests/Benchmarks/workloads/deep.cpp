// SPDX-License-Identifier: MIT
// w2 deep: about 60 frames of templates / std::function / lambdas, map<string,string> at the bottom.
// usage: w2_deep [allocs_millions=5]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>
#define NI __attribute__((noinline))
static uint64_t S = 88172645463325252ull;
static inline uint64_t rnd() {
    S ^= S << 13;
    S ^= S >> 7;
    S ^= S << 17;
    return S;
}
static std::map<std::string, std::string> store;
static long budget;
static long allocs;
static NI void insertOne(uint64_t k) {
    std::string key = "key-number-with-long-prefix-" + std::to_string(k);
    std::string val(24 + (k % 80), 'v');
    store[key] = val;
    allocs += 6;
}
static NI void eraseOne(uint64_t k) {
    if (store.empty())
        return;
    auto it = store.lower_bound("key-number-with-long-prefix-" + std::to_string(k));
    allocs += 1;
    if (it == store.end())
        it = store.begin();
    store.erase(it);
}
static NI void leaf(int n) {
    for (int i = 0; i < n; i++) {
        uint64_t r = rnd();
        if (store.size() < 512 || (r & 1))
            insertOne(r % 100000);
        else
            eraseOne(r % 100000);
        if (store.size() > 1024)
            eraseOne(r % 100000);
    }
}
using Fn = std::function<void(int)>;
template <int N> struct Level {
    // three real frames a level: run -> (std::function invoker) -> lambda body
    static NI void run(const Fn &f, int n) {
        uint64_t big[4] = {(uint64_t)N, (uint64_t)n, 3, 4}; // too big for the small-buffer: heap closure
        Fn g = [big, &f](int m) {
            Level<N - 1>::body(f, m, big[0]);
            __asm__ volatile("" ::: "memory");
        };
        allocs += 1;
        call(g, n);
        __asm__ volatile("" ::: "memory");
    }
    static NI void call(const Fn &g, int n) {
        g(n);
        __asm__ volatile("" ::: "memory");
    }
    static NI void body(const Fn &f, int m, uint64_t) {
        if (N > 0 && (m & 7) == 3)
            leaf(1); // some allocations from every depth
        Level<N>::run(f, m);
        __asm__ volatile("" ::: "memory");
    }
};
template <> struct Level<0> {
    static NI void run(const Fn &f, int n) {
        f(n);
        __asm__ volatile("" ::: "memory");
    }
    static NI void body(const Fn &f, int m, uint64_t) {
        run(f, m);
        __asm__ volatile("" ::: "memory");
    }
};
int main(int c, char **v) {
    double m = c > 1 ? atof(v[1]) : 5;
    budget = (long)(m * 1e6);
    Fn f = [](int n) {
        leaf(10 + (n & 15));
        __asm__ volatile("" ::: "memory");
    };
    int i = 0;
    while (allocs < budget)
        Level<13>::run(f, i++);
    std::printf("w2 allocs~%ld descents=%d live=%zu\n", allocs, i, store.size());
}
