// SPDX-License-Identifier: MIT
// A connection that is deleted only where nothing is thrown: one cycle in five throws.
#include "bench.h"
#include <stdexcept>
#include <string>

struct Connection {
    char buffer[240];
    std::string peer;
    explicit Connection(int i) : peer("peer-" + std::to_string(i)) { buffer[0] = 0; }
    void send(int i)
    {
        if (i % 5 == 0) throw std::runtime_error("broken");
        buffer[i % 200] = 1;
    }
};

static Connection *connectionOpen(int i) { return new Connection(i); }

static void exchange(int i)
{
    Connection *c = connectionOpen(i);
    bench_use(c);
    c->send(i);
    delete c;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        try {
            exchange(i);
        } catch (const std::runtime_error &) {
        }
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
