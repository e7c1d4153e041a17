// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// One object of soft memory read or written, beside std::unique_ptr and memcpy(3).
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/material.hpp"
#include "softlib/pool.hpp"

namespace soft::bench {
namespace {

constexpr std::size_t few = 8;

// A million objects of either kind, made in the same order.
struct Smalls {
    soft::pool<Small> pool{common_heap(), "small", [] { return Small{}; }};
    std::vector<soft::unique_ptr<Small>> soft;
    std::vector<std::unique_ptr<Small>> hard;

    Smalls() {
        for (std::uint64_t i = 0; i < objects; ++i) {
            soft.push_back(pool.make(Small{{i, i, i, i}}));
            hard.push_back(std::make_unique<Small>(Small{{i, i, i, i}}));
        }
        common_heap().seal();
        // The first read of an object marks it, which the others find.
        for (const auto& one : soft) {
            benchmark::DoNotOptimize(one.read());
        }
    }
};
Smalls& smalls() {
    static auto* const all = new Smalls;
    return *all;
}

Small read(const std::unique_ptr<Small>& one) {
    return *one;
}
Small read(const soft::unique_ptr<Small>& one) {
    return one.read();
}
template <class Pointer>
const Pointer* pointers() {
    if constexpr (std::is_same_v<Pointer, std::unique_ptr<Small>>) {
        return smalls().hard.data();
    } else {
        return smalls().soft.data();
    }
}

// The same few objects in turn. Their numbers are constants: to compute them would take as long as to read a plain object.
template <class Pointer>
void read_few(benchmark::State& state, std::size_t first) {
    const Pointer* all = pointers<Pointer>() + first;
    for ([[maybe_unused]] auto _ : state) {
        [&]<std::size_t... index>(std::index_sequence<index...>) {
            (benchmark::DoNotOptimize(read(all[index])), ...);
        }
        (std::make_index_sequence<few>());
    }
}
template <class Pointer>
void read_same(benchmark::State& state) {
    read_few<Pointer>(state, 0);
}
// Each thread has its own objects.
template <class Pointer>
void read_own(benchmark::State& state) {
    read_few<Pointer>(state, static_cast<std::size_t>(state.thread_index()) * objects / 2);
}

// Objects at random, by a list of numbers. The list alone is measured, too.
class RandomNumbers {
public:
    explicit RandomNumbers(const benchmark::State& state)
        : at_(order().data() + static_cast<std::size_t>(state.thread_index()) * objects / 2) {}
    std::size_t next() {
        const std::size_t number = *at_++;
        at_ = at_ == end_ ? order().data() : at_;
        return number;
    }

private:
    const std::uint32_t* at_;
    const std::uint32_t* end_ = order().data() + objects;
};
void number_alone(benchmark::State& state) {
    RandomNumbers numbers(state);
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(numbers.next());
    }
}
template <class Pointer>
void read_random(benchmark::State& state) {
    const Pointer* all = pointers<Pointer>();
    RandomNumbers numbers(state);
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(read(all[numbers.next()]));
    }
}
// As a program that needs each object before it knows the next: reads do not overlap. Nothing is added to a number, but the
// processor does not know that before it has the object.
template <class Pointer>
void read_in_turn(benchmark::State& state) {
    const Pointer* all = pointers<Pointer>();
    RandomNumbers numbers(state);
    std::uint64_t nothing = 0;
    benchmark::DoNotOptimize(nothing);
    std::uint64_t before = 0;
    for ([[maybe_unused]] auto _ : state) {
        before = read(all[numbers.next() + before]).words[0] & nothing;
    }
    benchmark::DoNotOptimize(before);
}
void write_unique(benchmark::State& state) {
    const Smalls& all = smalls();
    RandomNumbers numbers(state);
    for ([[maybe_unused]] auto _ : state) {
        const std::size_t i = numbers.next();
        *all.hard[i] = Small{{i, i, i, i}};
        benchmark::ClobberMemory();
    }
}
void write_soft(benchmark::State& state) {
    const Smalls& all = smalls();
    RandomNumbers numbers(state);
    for ([[maybe_unused]] auto _ : state) {
        const std::size_t i = numbers.next();
        all.soft[i].write(Small{{i, i, i, i}});
    }
}
using Plain = std::unique_ptr<Small>;
using Soft = soft::unique_ptr<Small>;
BENCHMARK(read_same<Plain>)->Name("8 reads of 32 B, cached/unique_ptr");
BENCHMARK(read_same<Soft>)->Name("8 reads of 32 B, cached/softlib");
BENCHMARK(number_alone)->Name("32 B read, random/number alone");
BENCHMARK(read_random<Plain>)->Name("32 B read, random/unique_ptr");
BENCHMARK(read_random<Soft>)->Name("32 B read, random/softlib");
BENCHMARK(read_in_turn<Plain>)->Name("32 B read, one after the other/unique_ptr");
BENCHMARK(read_in_turn<Soft>)->Name("32 B read, one after the other/softlib");
BENCHMARK(write_unique)->Name("32 B write, random/unique_ptr");
BENCHMARK(write_soft)->Name("32 B write, random/softlib");
BENCHMARK(read_same<Soft>)->Name("8 reads of 32 B, the same objects/softlib")->Threads(2)->UseRealTime();
BENCHMARK(read_own<Soft>)->Name("8 reads of 32 B, objects of its own/softlib")->Threads(2)->UseRealTime();
BENCHMARK(read_random<Soft>)->Name("32 B read, random/softlib")->Threads(2)->UseRealTime();

template <std::size_t bytes>
void copy_block(benchmark::State& state) {
    const auto from = std::make_unique<Block<bytes>>();
    auto to = std::make_unique<Block<bytes>>();
    for ([[maybe_unused]] auto _ : state) {
        std::memcpy(to.get(), from.get(), bytes);
        benchmark::DoNotOptimize(to.get());
        benchmark::ClobberMemory();
    }
}
// Copies into existing memory, like the plain copy: read() would return the object itself, and need a stack for it.
template <std::size_t bytes>
void read_block(benchmark::State& state) {
    soft::detail::TypedPool<Block<bytes>> pool(common_heap(), "blocks", [] { return Block<bytes>{}; });
    auto to = std::make_unique<Block<bytes>>();
    soft::detail::AtomicWord* entry = pool.new_entry();
    pool.store(entry, to.get(), bytes);
    common_heap().seal();
    for ([[maybe_unused]] auto _ : state) {
        if (!soft::detail::PoolBase::read_fixed(entry, to.get(), bytes)) {
            state.SkipWithError("the object is gone");
            break;
        }
        benchmark::DoNotOptimize(to.get());
        benchmark::ClobberMemory();
    }
    pool.free_entry(entry);
}
BENCHMARK(copy_block<4096>)->Name("4 KiB read/memcpy");
BENCHMARK(read_block<4096>)->Name("4 KiB read/softlib");
BENCHMARK(copy_block<4 << 20>)->Name("4 MiB read/memcpy");
BENCHMARK(read_block<4 << 20>)->Name("4 MiB read/softlib");

}  // namespace
}  // namespace soft::bench
