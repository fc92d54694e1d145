// SPDX-License-Identifier: MIT
// Results are remembered by key: with "bounded" the map is cleared whenever it holds 64, else it is never.
#include "bench.h"
#include <map>
#include <memory>

struct Result { double values[10]; };

class Solver {
public:
    explicit Solver(bool bounded) : bounded(bounded) {}
    double solve(int key)
    {
        auto found = memo.find(key);
        if (found == memo.end()) {
            if (bounded && memo.size() >= 64) memo.clear();
            found = memo.emplace(key, compute(key)).first;
        }
        return found->second->values[0];
    }

private:
    static std::unique_ptr<Result> compute(int key)
    {
        auto result = std::make_unique<Result>();
        result->values[0] = key;
        return result;
    }
    std::map<int, std::unique_ptr<Result>> memo;
    bool bounded;
};

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    auto *solver = new Solver(argc > 2 && !strcmp(argv[2], "bounded"));
    double sum = 0;
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < 9; k++) sum += solver->solve(i * 9 + k - k % 2);
        bench_mark("cycle");
    }
    bench_use(&sum);
    return bench_done(cycles);
}
