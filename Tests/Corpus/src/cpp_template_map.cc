// SPDX-License-Identifier: MIT
// A registry built from templates, compiled with full optimisation: the frames are inlined and their
// names are long. The map keyed by generation keeps everything; the map keyed by name is bounded.
#include "bench.h"
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace util {
template <typename Key, typename Value, typename Order = std::less<Key>>
class Registry {
public:
    template <typename... Args>
    Value &emplace(const Key &k, Args &&...args)
    {
        auto it = map_.find(k);
        if (it == map_.end())
            it = map_.emplace(std::piecewise_construct, std::forward_as_tuple(k),
                              std::forward_as_tuple(std::forward<Args>(args)...)).first;
        return it->second;
    }
    size_t size() const { return map_.size(); }
private:
    std::map<Key, Value, Order> map_;
};

template <int N> struct Score {
    std::array<int32_t, N> v{};
    Score(int a) { v[0] = a; v[N - 1] = a + 1; }
    int sum() const { return v[0] + v[N - 1]; }
};
} // namespace util

using Stamp = std::tuple<int, int>;

class Board {
public:
    int place(int cycle, int k) { return byStamp_.emplace(Stamp(cycle, k), cycle).sum(); }
    int touch(int k) { return byName_.emplace(k % 8, k).sum(); }
    size_t size() const { return byStamp_.size() + byName_.size(); }
private:
    util::Registry<Stamp, util::Score<16>> byStamp_;
    util::Registry<int, util::Score<4>> byName_;
};

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    static Board board;
    for (int i = 0; i < cycles; i++) {
        for (int k = 0; k < 4; k++) n += board.place(i, k);
        n += board.touch(i);
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles) + (board.size() == 0);
}
