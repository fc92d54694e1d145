// SPDX-License-Identifier: MIT
// A constructor that takes a buffer and then throws: the destructor never runs, the buffer is lost.
// Three cycles in four throw once. FIXED: the buffer is held by a unique_ptr.
#include "bench.h"
#include <memory>
#include <stdexcept>
#include <string>

class Image {
public:
    Image(int w, int h) : w_(w), h_(h), pixels_(allocate(w, h))
    {
        if (h % 4 != 0) throw std::runtime_error("height " + std::to_string(h) + " is not a multiple of 4");
        header_ = std::string("P5 ") + std::to_string(w) + " " + std::to_string(h);
    }
    Image(const Image &) = delete;
    Image &operator=(const Image &) = delete;
#ifdef FIXED
    ~Image() = default;
#else
    ~Image() { delete[] pixels_; }
#endif
    int area() const { return w_ * h_; }
private:
    static unsigned char *allocate(int w, int h)
    {
        unsigned char *p = new unsigned char[(size_t)w * (size_t)h];
        memset(p, 0, (size_t)w * (size_t)h);
        return p;
    }
    int w_, h_;
#ifdef FIXED
    std::unique_ptr<unsigned char[]> pixels_;
#else
    unsigned char *pixels_;
#endif
    std::string header_;
};

static int tryImage(int i)
{
    try {
        Image im(16, 32 + i % 4);
        return im.area();
    } catch (const std::exception &e) {
        return (int)strlen(e.what());
    }
}

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv), n = 0;
    for (int i = 0; i < cycles; i++) {
        n += tryImage(i);
        bench_mark("cycle");
    }
    bench_use(&n);
    return bench_done(cycles);
}
