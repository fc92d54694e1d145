// SPDX-License-Identifier: MIT
// Names in a set that is never emptied: five new ones a cycle, or with "bounded" always the same 80.
#include "bench.h"
#include <string>
#include <unordered_set>

class Names {
public:
    const std::string &intern(std::string name) { return *set.insert(std::move(name)).first; }

private:
    std::unordered_set<std::string> set;
};

static Names *names = new Names;

static void readHeaders(int cycle, bool bounded, unsigned *seed)
{
    for (int k = 0; k < 5; k++) {
        unsigned number = bounded ? bench_rand(seed) % 80 : static_cast<unsigned>(cycle * 5 + k);
        bench_use(&names->intern("X-Header-Of-This-Request-" + std::to_string(number)));
    }
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    bool bounded = argc > 2 && !strcmp(argv[2], "bounded");
    unsigned seed = 4;
    if (bounded) for (int i = 0; i < 200; i++) readHeaders(0, true, &seed);
    for (int i = 1; i <= cycles; i++) {
        readHeaders(i, bounded, &seed);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
