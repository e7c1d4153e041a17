// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Memory given back to the kernel, beside madvise(2), and what was lost found out.
#include <benchmark/benchmark.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "bench/material.hpp"
#include "softlib/pool.hpp"

namespace soft::bench {
namespace {

void allow_huge_pages(bool allowed) {
    prctl(PR_SET_THP_DISABLE, allowed ? 0 : 1, 0, 0, 0);
}
// The least work of release(), in one call.
template <bool huge_pages>
void give_back_raw(benchmark::State& state) {
    allow_huge_pages(huge_pages);
    const std::size_t bytes = gibibyte / 4;
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            state.SkipWithError("no memory");
            break;
        }
        madvise(memory, bytes, MADV_HUGEPAGE);
        std::memset(memory, 1, bytes);
        state.ResumeTiming();
        madvise(memory, bytes, MADV_DONTNEED);
        state.PauseTiming();
        munmap(memory, bytes);
        state.ResumeTiming();
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
    allow_huge_pages(true);
}
BENCHMARK(give_back_raw<false>)->Name("release, small pages/madvise")->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(give_back_raw<true>)->Name("release/madvise")->Iterations(3)->Unit(benchmark::kMillisecond);

// Half a gibibyte in a heap of its own, given back; the time for filling it does not count.
template <bool release, bool huge_pages = true>
void give_back(benchmark::State& state) {
    allow_huge_pages(huge_pages);
    const std::size_t bytes = gibibyte / 2;
    const auto live_of_ten = static_cast<std::size_t>(state.range(0));
    std::size_t given = 0;
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        soft::heap own({.limit_bytes = bytes, .background = false});
        {
            soft::pool<Block<1024>> pool(own, "blocks", [] { return Block<1024>{}; });
            std::vector<soft::unique_ptr<Block<1024>>> kept;
            for (std::size_t i = 0; i < bytes / 1100; ++i) {
                auto one = pool.make(Block<1024>{});
                if (i % 10 < live_of_ten) {
                    kept.push_back(std::move(one));
                }
            }
            own.seal();
            state.ResumeTiming();
            given += release ? own.release(bytes / 2) : own.shrink(bytes / 10 * (10 - live_of_ten) / 2);
            state.PauseTiming();
        }
        state.ResumeTiming();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(given));
    allow_huge_pages(true);
}
BENCHMARK(give_back<true, false>)->Name("release, small pages/softlib")->Arg(10)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(give_back<true>)->Name("release/softlib")->Arg(10)->Iterations(3)->Unit(benchmark::kMillisecond);
BENCHMARK(give_back<false>)->Name("shrink, tenths in use")->Arg(1)->Arg(5)->Arg(9)->Iterations(3)->Unit(benchmark::kMillisecond);

// A source takes a gibibyte of objects that were all read lately, at once or in steps.
void take_back(benchmark::State& state) {
    const auto steps = static_cast<std::size_t>(state.range(0));
    const std::size_t bytes = gibibyte + gibibyte / 4;
    for ([[maybe_unused]] auto _ : state) {
        state.PauseTiming();
        soft::heap own({.limit_bytes = bytes, .background = false});
        {
            soft::pool<Block<1024>> pool(own, "blocks", [] { return Block<1024>{}; });
            std::vector<soft::unique_ptr<Block<1024>>> kept;
            for (std::size_t i = 0; i < bytes / 1100; ++i) {
                kept.push_back(pool.make(Block<1024>{}));
                benchmark::DoNotOptimize(kept.back().read());
            }
            own.seal();
            const std::size_t held = own.statistics().segment_bytes;
            state.ResumeTiming();
            for (std::size_t step = 1; step <= steps; ++step) {
                own.follow(std::make_unique<soft::fixed_budget>(held - gibibyte / steps * step));
            }
            state.PauseTiming();
            state.counters["bytes_left"] = static_cast<double>(own.statistics().segment_bytes);
        }
        state.ResumeTiming();
    }
}
BENCHMARK(take_back)->Name("take back 1 GiB, steps")->Arg(1)->Arg(4)->Iterations(3)->Unit(benchmark::kMillisecond);

void find_out_lost(benchmark::State& state) {
    soft::heap own({.limit_bytes = gibibyte, .background = false});
    soft::pool<Small> pool(own, "lost", [] { return Small{}; });
    std::vector<soft::unique_ptr<Small>> all;
    for (std::size_t i = 0; i < objects; ++i) {
        all.push_back(pool.make(Small{}));
    }
    own.seal();
    own.release(gibibyte);
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(all[order()[i++ % objects]].try_get());
    }
}
BENCHMARK(find_out_lost)->Name("lost object found out");

}  // namespace
}  // namespace soft::bench
