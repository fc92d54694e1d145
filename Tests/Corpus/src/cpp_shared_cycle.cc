// SPDX-License-Identifier: MIT
// A document and its views hold each other by shared_ptr. FIXED: the view holds the document weakly.
#include "bench.h"
#include <memory>
#include <string>
#include <vector>

struct Document;

struct View {
    virtual ~View() = default;
#ifdef FIXED
    std::weak_ptr<Document> document;
#else
    std::shared_ptr<Document> document;
#endif
    int zoom = 100;
};

struct Document {
    virtual ~Document() = default;
    std::vector<std::shared_ptr<View>> views;
    int pages = 1;
};

static std::shared_ptr<View> makeView(const std::shared_ptr<Document> &d)
{
    auto v = std::make_shared<View>();
    v->document = d;
    return v;
}

static std::shared_ptr<Document> openDocument(int pages)
{
    auto d = std::make_shared<Document>();
    d->pages = pages;
    d->views.reserve(2);
    d->views.push_back(makeView(d));
    d->views.push_back(makeView(d));
    return d;
}

static std::string statusLine(int i) { return "a status line that does not fit in place: " + std::to_string(i); }

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    size_t n = 0;
    for (int i = 0; i < cycles; i++) {
        auto d = openDocument(i);
        n += d->views.size() + statusLine(i).size();
        d.reset();
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
