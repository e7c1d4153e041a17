// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft-costs efficiency | reclaim: prints what Midas (NSDI'24) shows in Figure 11 and in Table 3, for softlib.
//
// efficiency: the throughput of a program with so much of its objects in soft memory and so long a rebuild, beside the same
// program with all of them. The paper does not say how its program draws objects, nor how long its requests take: here by a power
// law (0.9), and 100 us. Processor time counts, so that other work of the machine hardly does.
//
// reclaim: how fast a heap gives memory back by how much of it is in use: half of what is not, by moving the rest (shrink); and
// half of all at once (release).
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <utility>
#include <vector>

#include "../applications/popularity.hpp"
#include "softlib/cache.hpp"
#include "softlib/pool.hpp"

namespace {

constexpr std::size_t mib = 1 << 20;

double processor_s() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void work_for(double seconds) {
    const double end = processor_s() + seconds;
    while (processor_s() < end) {
    }
}

using Object = std::array<char, 4096>;

// Requests a second.
double throughput(double share, double rebuild_s) {
    constexpr std::uint32_t objects = 32'768;
    constexpr double request_s = 100e-6;
    constexpr int warm_up = 300'000;
    constexpr int requests = 5'000;
    // softlib needs some more than the objects themselves.
    const auto limit = static_cast<std::size_t>(share < 1 ? share * objects * sizeof(Object) : 1.5 * objects * sizeof(Object));
    soft::heap heap({.limit_bytes = limit, .reserve_bytes = limit});
    soft::cache<std::uint32_t, Object> cache(heap, "objects", {});
    tmm::soft_memory::Popularity popularity(objects, 0.9, 1);
    const auto request = [&](double cost_s) {
        return cache.get_or(popularity.draw(0), [&] {
            work_for(cost_s);
            return Object{1};
        });
    };
    for (int i = 0; i < warm_up; ++i)
        request(0);
    const double start = processor_s();
    for (int i = 0; i < requests; ++i) {
        work_for(request_s);
        request(rebuild_s);
    }
    return requests / (processor_s() - start);
}

void print_efficiency() {
    std::printf("rebuild us,20 %%,50 %%,80 %%\n");
    const double ideal = throughput(1, 0);
    for (int rebuild_us = 16; rebuild_us <= 2048; rebuild_us *= 2) {
        std::printf("%d", rebuild_us);
        for (const double share : {0.2, 0.5, 0.8})
            std::printf(",%.3f", throughput(share, 1e-6 * rebuild_us) / ideal);
        std::printf("\n");
        std::fflush(stdout);
    }
}

using Block = std::array<char, 1024>;

// MiB a second.
double reclaim_speed(std::size_t tenths_in_use, bool at_once) {
    constexpr std::size_t bytes = 512 * mib;
    soft::heap heap({.limit_bytes = bytes, .background = false});
    soft::pool<Block> pool(heap, "blocks", [] { return Block{}; });
    std::vector<soft::unique_ptr<Block>> kept;
    for (std::size_t i = 0; i < bytes / 1100; ++i) {
        auto one = pool.make(Block{});
        if (i % 10 < tenths_in_use)
            kept.push_back(std::move(one));
    }
    heap.seal();
    const auto start = std::chrono::steady_clock::now();
    const std::size_t given = at_once ? heap.release(bytes / 2) : heap.shrink(bytes / 10 * (10 - tenths_in_use) / 2);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return static_cast<double>(given) / mib / seconds;
}

void print_reclaim() {
    std::printf("in use,shrink MiB/s,release MiB/s\n");
    for (const std::size_t tenths : {1, 3, 5, 7, 9}) {
        std::printf("%zu %%", 10 * tenths);
        for (const bool at_once : {false, true}) {
            // Other work of the machine makes it slower, never faster.
            double best = 0;
            for (int i = 0; i < 5; ++i)
                best = std::max(best, reclaim_speed(tenths, at_once));
            std::printf(",%.0f", best);
        }
        std::printf("\n");
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc == 2 ? argv[1] : "";
    if (what == "efficiency") {
        print_efficiency();
    } else if (what == "reclaim") {
        print_reclaim();
    } else {
        std::fprintf(stderr, "usage: soft-costs efficiency | reclaim\n");
        return 2;
    }
}
