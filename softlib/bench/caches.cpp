// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A hash map and a cache, beside those that people write themselves; and the sampling of their uses.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bench/material.hpp"
#include "softlib/cache.hpp"
#include "softlib/unordered_map.hpp"
#include "src/reuse/reuse_sampler.hpp"

namespace soft::bench {
namespace {

constexpr std::size_t cached_values = 100'000;

void find_std(benchmark::State& state) {
    std::unordered_map<std::uint64_t, Small> map;
    for (std::uint64_t key = 0; key < objects; ++key) {
        map[key] = Small{{key, 0, 0, 0}};
    }
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        Small copy = map.find(order()[i++ % objects])->second;
        benchmark::DoNotOptimize(copy);
    }
}
void find_soft(benchmark::State& state) {
    soft::unordered_map<std::uint64_t, Small> map(common_heap(), "map", [](std::uint64_t key) { return Small{{key, 0, 0, 0}}; });
    for (std::uint64_t key = 0; key < objects; ++key) {
        map.insert_or_assign(key, Small{{key, 0, 0, 0}});
    }
    common_heap().seal();
    // The first read of an object marks it, which the others find.
    for (std::uint64_t key = 0; key < objects; ++key) {
        benchmark::DoNotOptimize(map.find(key));
    }
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        std::optional<Small> copy = map.find(order()[i++ % objects]);
        benchmark::DoNotOptimize(copy);
    }
}
BENCHMARK(find_std)->Name("hash map, hit/std::unordered_map");
BENCHMARK(find_soft)->Name("hash map, hit/softlib");

// The cache that people write themselves.
template <class Value>
class Lru {
public:
    void put(std::uint64_t key, const Value& value) {
        const std::lock_guard guard(mutex_);
        order_.emplace_front(key, value);
        items_[key] = order_.begin();
    }
    std::optional<Value> get(std::uint64_t key) {
        const std::lock_guard guard(mutex_);
        const auto at = items_.find(key);
        if (at == items_.end()) {
            return std::nullopt;
        }
        order_.splice(order_.begin(), order_, at->second);
        return at->second->second;
    }

private:
    std::mutex mutex_;
    std::list<std::pair<std::uint64_t, Value>> order_;
    std::unordered_map<std::uint64_t, typename decltype(order_)::iterator> items_;
};
using PlainLru = Lru<std::string>;
class SoftCache : public soft::cache<std::uint64_t, std::string> {
public:
    static soft::heap& its_heap() { return common_heap(); }
    SoftCache() : cache(its_heap(), "cache", {}) {}
};
class ToldCache : public soft::cache<std::uint64_t, std::string> {
public:
    static soft::heap& its_heap() { return told_heap(); }
    ToldCache() : cache(its_heap(), "told cache", {}) {}
};
// As many values as there are of 200 B, or 64 MiB of larger ones.
constexpr std::uint64_t values_of(std::size_t bytes) {
    return std::min<std::uint64_t>(cached_values, (64 << 20) / bytes);
}
template <class Cache, std::size_t bytes>
Cache& filled_cache() {
    static auto* const one = [] {
        auto* made = new Cache;
        for (std::uint64_t key = 0; key < values_of(bytes); ++key) {
            made->put(key, std::string(bytes, static_cast<char>('a' + key % 26)));
        }
        if constexpr (requires { Cache::its_heap(); }) {
            Cache::its_heap().seal();
        }
        // As above.
        for (std::uint64_t key = 0; key < values_of(bytes); ++key) {
            benchmark::DoNotOptimize(made->get(key));
        }
        return made;
    }();
    return *one;
}
template <class Cache, std::size_t bytes>
void hit(benchmark::State& state) {
    auto& cache = filled_cache<Cache, bytes>();
    std::size_t i = static_cast<std::size_t>(state.thread_index()) * objects / 2;
    for ([[maybe_unused]] auto _ : state) {
        auto copy = cache.get(order()[i++ % objects] % values_of(bytes));
        benchmark::DoNotOptimize(copy);
    }
}
BENCHMARK(hit<PlainLru, 200>)->Name("cache, hit/mutex and list")->UseRealTime()->ThreadRange(1, 2);
BENCHMARK(hit<SoftCache, 200>)->Name("cache, hit/softlib")->UseRealTime()->ThreadRange(1, 2);
BENCHMARK(hit<ToldCache, 200>)->Name("cache, hit/softlib, told to tmmd")->UseRealTime()->ThreadRange(1, 2);
BENCHMARK(hit<PlainLru, 4096>)->Name("cache, hit of 4 KiB/mutex and list");
BENCHMARK(hit<SoftCache, 4096>)->Name("cache, hit of 4 KiB/softlib");
BENCHMARK(hit<ToldCache, 4096>)->Name("cache, hit of 4 KiB/softlib, told to tmmd");
BENCHMARK(hit<PlainLru, 65536>)->Name("cache, hit of 64 KiB/mutex and list");
BENCHMARK(hit<SoftCache, 65536>)->Name("cache, hit of 64 KiB/softlib");

// A use of a watched key, of as many as there may be.
void sample_use(benchmark::State& state) {
    soft::reuse_sampler sampler;
    std::vector<std::uint64_t> keys;
    for (std::uint64_t key = 0; keys.size() < soft::reuse_sampler::max_watched; ++key) {
        sampler.used(key, 200);
        keys.push_back(key);
    }
    std::shuffle(keys.begin(), keys.end(), std::mt19937(1));
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        sampler.used(keys[i++ % keys.size()], 200);
    }
}
BENCHMARK(sample_use)->Name("sampling, a use");
// Once a second.
void sample_second(benchmark::State& state) {
    soft::reuse_sampler sampler;
    for (std::uint64_t key = 0; key < soft::reuse_sampler::max_watched; ++key) {
        sampler.used(key, 200);
    }
    for ([[maybe_unused]] auto _ : state) {
        sampler.pass(0.001);
        benchmark::DoNotOptimize(sampler.estimate());
    }
}
BENCHMARK(sample_second)->Name("sampling, a second's end");

// What people do with blocks that they have decoded: a list of shared pointers.
class SharedLru {
public:
    using Shared = std::shared_ptr<const std::string>;
    void put(std::uint64_t key, const std::string& value) { values_.put(key, std::make_shared<const std::string>(value)); }
    std::optional<Shared> get(std::uint64_t key) { return values_.get(key); }

private:
    Lru<Shared> values_;
};
class PinnedCache : public SoftCache {
public:
    std::shared_ptr<const std::string> get(std::uint64_t key) { return try_pin(key); }
};
// The 64 values that are read are pinned.
template <class Cache, std::size_t bytes>
void hit_few(benchmark::State& state) {
    auto& cache = filled_cache<Cache, bytes>();
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        auto value = cache.get(order()[i++ % 64] % values_of(bytes));
        benchmark::DoNotOptimize(value);
    }
}
BENCHMARK(hit_few<SharedLru, 65536>)->Name("cache, 64 values of 64 KiB/mutex and list of shared_ptr");
BENCHMARK(hit_few<SoftCache, 65536>)->Name("cache, 64 values of 64 KiB/softlib");
BENCHMARK(hit_few<PinnedCache, 65536>)->Name("cache, 64 values of 64 KiB/softlib, pinned");

}  // namespace
}  // namespace soft::bench
