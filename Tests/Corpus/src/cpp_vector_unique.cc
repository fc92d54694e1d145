// SPDX-License-Identifier: MIT
// Finished jobs are moved into a vector<unique_ptr> "for later" and later never comes.
#include "bench.h"
#include <memory>
#include <string>
#include <vector>

class Job {
public:
    explicit Job(int id) : id_(id), log_("log of job " + std::to_string(100000 + id) + ", kept in memory") {}
    virtual ~Job() = default;
    virtual int run() { return id_ * 3; }
private:
    int id_;
    std::string log_;
};

static std::vector<std::unique_ptr<Job>> finished;

static std::unique_ptr<Job> makeJob(int id) { return std::make_unique<Job>(id); }

static int runJob(int id)
{
    auto job = makeJob(id);
    int r = job->run();
    finished.push_back(std::move(job));
    return r;
}

static int runShortJob(int id)
{
    auto job = std::unique_ptr<int[]>(new int[40 + id % 7]);
    job[0] = id;
    bench_use(job.get());
    return job[0];
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    for (int i = 0; i < cycles; i++) {
        n += runJob(2 * i) + runJob(2 * i + 1);
        for (int k = 0; k < 12; k++) n += runShortJob(k);
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
