// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Objects made and dropped, and the memory that each takes beside its own.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/material.hpp"
#include "softlib/pool.hpp"

namespace soft::bench {
namespace {

constexpr std::size_t batch = 100'000;
void allocate_unique(benchmark::State& state) {
    std::vector<std::unique_ptr<Small>> made(batch);
    for ([[maybe_unused]] auto _ : state) {
        for (auto& one : made) {
            one = std::make_unique<Small>();
        }
        state.PauseTiming();
        made.clear();
        made.resize(batch);
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}
void allocate_soft(benchmark::State& state) {
    soft::pool<Small> pool(common_heap(), "made", [] { return Small{}; });
    std::vector<soft::unique_ptr<Small>> made(batch);
    for ([[maybe_unused]] auto _ : state) {
        for (auto& one : made) {
            one = pool.make(Small{});
        }
        state.PauseTiming();
        made.clear();
        made.resize(batch);
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}

void make_and_drop_unique(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
        const auto one = std::make_unique<Small>();
        benchmark::DoNotOptimize(one.get());
    }
}
void make_and_drop_soft(benchmark::State& state) {
    soft::pool<Small> pool(common_heap(), "dropped", [] { return Small{}; });
    for ([[maybe_unused]] auto _ : state) {
        auto one = pool.make(Small{});
        benchmark::DoNotOptimize(one);
    }
}
BENCHMARK(make_and_drop_unique)->Name("make and drop 32 B/unique_ptr");
BENCHMARK(make_and_drop_soft)->Name("make and drop 32 B/softlib");

BENCHMARK(allocate_unique)->Name("allocate 32 B/unique_ptr")->Iterations(20);
BENCHMARK(allocate_soft)->Name("allocate 32 B/softlib")->Iterations(20);

void metadata(benchmark::State& state) {
    soft::heap own({.limit_bytes = gibibyte, .background = false});
    soft::pool<Small> pool(own, "counted", [] { return Small{}; });
    std::vector<soft::unique_ptr<Small>> all;
    for ([[maybe_unused]] auto _ : state) {
        for (std::size_t i = 0; i < objects; ++i) {
            all.push_back(pool.make(Small{}));
        }
    }
    const soft::heap_statistics told = own.statistics();
    const double bytes =
        static_cast<double>(told.segment_bytes + told.metadata_bytes) - static_cast<double>(objects * sizeof(Small));
    state.counters["bytes_an_object"] = bytes / static_cast<double>(objects);
}
BENCHMARK(metadata)->Name("metadata of 32 B objects")->Iterations(1);

}  // namespace
}  // namespace soft::bench
