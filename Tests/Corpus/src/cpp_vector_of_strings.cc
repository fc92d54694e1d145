// SPDX-License-Identifier: MIT
// An audit trail: a vector that is appended to for ever, of strings that are too long to stand in it.
#include "bench.h"
#include <string>
#include <vector>

class AuditTrail {
public:
    void record(int cycle, int k)
    {
        char text[64];
        snprintf(text, sizeof text, "user %d did the thing number %07d of the day", k, cycle);
        entries.push_back(text);
    }

private:
    std::vector<std::string> entries;
};

static AuditTrail *trail = new AuditTrail;

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    for (int i = 1; i <= cycles; i++) {
        for (int k = 0; k < 3; k++) trail->record(i, k);
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
