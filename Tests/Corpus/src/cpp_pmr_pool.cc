// SPDX-License-Identifier: MIT
// Standard containers on an unsynchronized_pool_resource: the pool takes bigger and bigger chunks while
// the working set rises and hands nothing back, but it plateaus. Nothing grows after cycle 15.
#include "bench.h"
#include <memory_resource>
#include <list>
#include <vector>

static std::pmr::unsynchronized_pool_resource pool;

static long frameBuild(int n)
{
    std::pmr::list<long> items(&pool);
    for (int i = 0; i < n; i++) items.push_back(i);
    std::pmr::vector<int> order(&pool);
    for (int i = 0; i < 10; i++) order.push_back(i);
    long sum = 0;
    for (long v : items) sum += v;
    return sum + (long)order.size();
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    long n = 0;
    for (int i = 1; i <= cycles; i++) {
        n += frameBuild(i < 15 ? 100 * i : 1000 + (i * 7919) % 500);
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
