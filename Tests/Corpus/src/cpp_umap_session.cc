// SPDX-License-Identifier: MIT
// Sessions are kept in an unordered_map and never erased; the map's bucket array is rehashed at times.
#include "bench.h"
#include <string>
#include <unordered_map>

struct Session {
    std::string user;
    long expires = 0;
};

class SessionTable {
    std::unordered_map<int, Session> table_;
public:
    void login(int id)
    {
        Session &s = table_[id];
        s.user = "user-with-a-rather-long-name-" + std::to_string(id % 10);
        s.expires = id + 3600;
    }
    size_t size() const { return table_.size(); }
};

static SessionTable sessions;

static std::string renderPage(int id)
{
    std::string page;
    page.reserve(600);
    for (int i = 0; i < 20; i++) page += "<p>hello " + std::to_string(id) + "</p>";
    return page;
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    size_t n = 0;
    for (int i = 0; i < cycles; i++) {
        for (int k = 0; k < 3; k++) sessions.login(3 * i + k);
        n += renderPage(i).size();
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles) + (sessions.size() == 0);
}
