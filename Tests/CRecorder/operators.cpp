// SPDX-License-Identifier: MIT
//
// operators.cpp: every form of operator new and delete, recorded, with libc's allocator and with others behind us, and from a
// C++ library that a C program loads privately (this file again, as PLUGIN, by operators-host.c). Usage: operators LIBRARY HOST
// PLUGIN ALLOCATOR…; what is checked is that all blocks are seen, and that the program behaves as without us.

#include "genmark_trace.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct alignas(256) Wide { char bytes[256]; };
struct Throws { char bytes[300]; Throws() { throw std::runtime_error("constructor"); } };

void *volatile sink;
template <class T> T *seen(T *block) { sink = block; return block; }

// What it does is known: 9 blocks stay, everything else is freed. Returns 0 when all behaved as C++ says.
int exercise()
{
    int wrong = 0;
    for (int i = 0; i < 4; i++)
        seen(::operator new(40));
    for (int i = 0; i < 3; i++)
        seen(new double[12]);
    wrong += reinterpret_cast<std::uintptr_t>(seen(new Wide)) % 256 != 0;
    wrong += reinterpret_cast<std::uintptr_t>(seen(new (std::nothrow) Wide[2])) % 256 != 0;
    for (int i = 0; i < 50; i++) {
        delete seen(new int(i));
        delete[] seen(new char[77]);
        delete seen(new Wide);
        delete[] seen(new (std::nothrow) Wide[3]);
        ::operator delete(seen(::operator new(10, std::nothrow)), std::nothrow);
        ::operator delete[](seen(::operator new[](10, std::nothrow)), std::nothrow);
        ::operator delete(seen(::operator new(0)), std::size_t(0));
        ::operator delete(seen(::operator new(9, std::align_val_t(64))), std::size_t(9), std::align_val_t(64));
        ::operator delete(nullptr);
    }
    int caught = 0;
    for (int i = 0; i < 3; i++)
        try { seen(new Throws); } catch (const std::runtime_error &) { caught++; }
    wrong += caught != 3;
    return wrong;
}

// No memory: the new_handler is called until it gives up, then bad_alloc comes through our hook.
int exhaust()
{
    static int asked;
    volatile std::size_t huge = SIZE_MAX / 4;
    int caught = 0;
    std::set_new_handler([] { if (++asked == 3) std::set_new_handler(nullptr); });
    try { seen(::operator new(huge)); } catch (const std::bad_alloc &) { caught++; }
    return caught != 1 || asked != 3 || ::operator new(huge, std::nothrow) != nullptr;
}

}  // namespace

extern "C" int plugin_run() { return exercise() + exhaust(); }

#ifndef PLUGIN
namespace {

struct Counts { std::uint64_t live = 0, born = 0, foreign = 0, losses = 0; };

bool read_trace(const char *path, Counts &counts)
{
    int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        return false;
    void *mapped = mmap(nullptr, std::size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (mapped == MAP_FAILED)
        return false;
    auto *base = static_cast<const std::uint8_t *>(mapped);
    auto *header = static_cast<const gm_header *>(mapped);
    counts.foreign = header->foreign_frees;
    for (std::uint64_t loss : header->losses)
        counts.losses += loss;
    for (std::uint64_t at = GM_HEADER_SIZE; at < header->used;) {
        auto *extent = reinterpret_cast<const gm_extent *>(base + at);
        if (extent->kind == GM_EXTENT_COUNTERS) {
            auto *counter = reinterpret_cast<const gm_counter *>(base + at + GM_EXTENT_HEADER_SIZE + 64);
            for (std::uint32_t i = 0; i < extent->capacity; i++) {
                counts.born += counter[i].born_blocks;
                counts.live += counter[i].born_blocks - counter[i].freed_blocks;
            }
        }
        at += extent->size;
    }
    munmap(mapped, std::size_t(status.st_size));
    return true;
}

// Runs a program preloaded; its exit status.
int run(const std::string &preload, const std::string &output, const char *program, const char *argument)
{
    pid_t child = fork();
    if (child == 0) {
        if (!preload.empty())
            setenv("LD_PRELOAD", preload.c_str(), 1);
        setenv("GENMARK_OUTPUT", output.c_str(), 1);
        execl(program, program, argument, static_cast<char *>(nullptr));
        _exit(127);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

}  // namespace

int main(int count, char **arguments)
{
    if (count == 2)
        return std::strcmp(arguments[1], "=exhaust") == 0 ? exhaust() : exercise();
    if (count < 4)
        return std::fprintf(stderr, "usage: operators LIBRARY HOST PLUGIN [ALLOCATOR...]\n"), 3;
    char directory[] = "/tmp/genmark-operators-XXXXXX";
    if (!mkdtemp(directory))
        return 3;
    int failed = 0, ran = 0;
    std::string library = arguments[1];
    auto check = [&](const char *name, const std::string &behind, const char *program, const char *argument, std::uint64_t live,
                     std::uint64_t born) {
        std::string trace = std::string(directory) + "/trace";
        Counts counts;
        // Some allocators do not do all that C++ says, and abort where it throws: so must they with us.
        int bare = run(behind, trace, program, argument);
        int status = run(behind.empty() ? library : library + ":" + behind, trace, program, argument);
        // The C++ library and the allocator keep blocks of their own: some more may be alive, none may be missing.
        bool right = status == bare && read_trace(trace.c_str(), counts) && counts.live >= live && counts.live < live + 60 &&
                     counts.born >= born && counts.foreign == 0 && counts.losses == 0;
        if (!right)
            std::fprintf(stderr, "%s %s: status %d, bare %d, live %lu, born %lu, foreign %lu, losses %lu\n", name, behind.c_str(),
                         status, bare, counts.live, counts.born, counts.foreign, counts.losses);
        failed += !right;
        ran++;
        unlink(trace.c_str());
    };
    check("operators", "", "/proc/self/exe", "=exercise", 9, 9 + 8 * 50);
    check("no memory", "", "/proc/self/exe", "=exhaust", 0, 1);
    check("private C++ library", "", arguments[2], arguments[3], 9, 9 + 8 * 50);
    for (int i = 4; i < count; i++) {
        if (access(arguments[i], R_OK) != 0)
            continue;
        check("operators", arguments[i], "/proc/self/exe", "=exercise", 9, 9 + 8 * 50);
        check("no memory", arguments[i], "/proc/self/exe", "=exhaust", 0, 1);
        check("private C++ library", arguments[i], arguments[2], arguments[3], 0, 1);
    }
    rmdir(directory);
    std::printf("operators: %d runs, %d failed\n", ran, failed);
    return failed != 0;
}
#endif
