// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// softlib-keep SECONDS: keeps 16,000 objects of 4 KiB in the process's own heap, reads all of them each second, and stores others
// meanwhile. Prints how many were lost, and what the kernel and softlib say about the memory.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "softlib/pool.hpp"
#include "tests/vm/programs.hpp"

namespace soft::pressure {
namespace {

using Object = std::array<std::uint64_t, 511>;

Object object_of(std::uint64_t number) {
    Object object;
    object.fill(number + 1);
    return object;
}

int keep(unsigned long seconds) {
    constexpr std::uint64_t objects = 16'000;
    soft::heap& heap = soft::heap::process();
    pool<Object, std::uint64_t> pool("kept", object_of);
    std::vector<unique_ptr<Object, std::uint64_t>> kept;
    std::vector<unique_ptr<Object, std::uint64_t>> more;
    for (std::uint64_t number = 0; number < objects; ++number) {
        kept.push_back(pool.make(object_of(number)));
    }
    heap.seal();
    const std::uint64_t refaults = vmstat("workingset_refault_file");
    const std::uint64_t collapsed = vmstat("thp_collapse_alloc");
    std::uint64_t lost = 0;
    std::uint64_t wrong = 0;
    for (unsigned long second = 0; second <= seconds; ++second) {
        lost = 0;
        for (std::uint64_t number = 0; number < objects; ++number) {
            const auto there = kept[number].try_get();
            lost += there ? 0 : 1;
            wrong += there && *there != object_of(number) ? 1 : 0;
        }
        if (second == 0) {
            say("lost_at_first", lost);
            say("lazy_free_bytes_at_first", heap.lazy_free_bytes());
        }
        // Opens a segment, at which khugepaged notices this process.
        more.clear();
        while (more.size() * sizeof(Object) < 2 * mebibyte) {
            more.push_back(pool.make(object_of(0)));
        }
        std::this_thread::sleep_for(std::chrono::seconds(second < seconds ? 1 : 0));
    }
    say("lost", lost);
    say("wrong", wrong);
    say("refaults", vmstat("workingset_refault_file") - refaults);
    say("collapsed", vmstat("thp_collapse_alloc") - collapsed);
    say("soft_bytes", heap.statistics().segment_bytes);
    say("open_bytes", heap.statistics().open_bytes);
    say("resident_bytes", heap.statistics().resident_bytes);
    say("lazy_free_bytes", heap.lazy_free_bytes());
    return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace soft::pressure

int main(int argc, char** argv) {
    try {
        if (argc != 2) {
            std::fputs("Usage: softlib-keep SECONDS\n", stderr);
            return 2;
        }
        return soft::pressure::keep(std::strtoul(argv[1], nullptr, 10));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "softlib-keep: %s\n", error.what());
        return 2;
    }
}
