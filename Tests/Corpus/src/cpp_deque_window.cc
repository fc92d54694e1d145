// SPDX-License-Identifier: MIT
// The newest thousand measurements in a deque, whose chunks come at one end and go at the other.
#include "bench.h"
#include <deque>
#include <memory>

struct Measurement { double value[6]; };

class Series {
public:
    void add(double v)
    {
        window.push_back(Measurement{{v}});
        if (window.size() > 1000) window.pop_front();
        newest = std::make_unique<Measurement>(window.back());
    }

private:
    std::deque<Measurement> window;
    std::unique_ptr<Measurement> newest;
};

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    Series series;
    for (int i = 0; i < 1000; i++) series.add(i);
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < 70 + i % 13; k++) series.add(k);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
