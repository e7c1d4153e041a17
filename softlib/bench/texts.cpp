// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Objects of any size: copied, or read in place.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/material.hpp"
#include "softlib/pool.hpp"
#include "softlib/softlib.h"

namespace soft::bench {
namespace {

// One of a few objects that are read all the time, of a pool without a cache.
using Texts = soft::pool<std::string>;
using Text = soft::unique_ptr<std::string>;
template <std::size_t bytes, class Read>
void read_texts(benchmark::State& state, Read&& read) {
    Texts texts(common_heap(), "texts", [] { return std::string(bytes, 'x'); });
    std::vector<Text> all;
    while (all.size() < 8) {
        all.push_back(texts.make(std::string(bytes, 'x')));
    }
    common_heap().seal();
    std::size_t i = 0;
    for ([[maybe_unused]] auto _ : state) {
        auto text = read(all[i++ % all.size()]);
        benchmark::DoNotOptimize(text);
    }
}
template <std::size_t bytes>
void read_text(benchmark::State& state) {
    read_texts<bytes>(state, [](const Text& text) { return text.read(); });
}
template <std::size_t bytes>
void pin_text(benchmark::State& state) {
    read_texts<bytes>(state, [](const Text& text) { return text.pin(); });
}
BENCHMARK(read_text<64>)->Name("text of 64 B/read");
BENCHMARK(pin_text<64>)->Name("text of 64 B/pin");
BENCHMARK(read_text<512>)->Name("text of 512 B/read");
BENCHMARK(pin_text<512>)->Name("text of 512 B/pin");
BENCHMARK(read_text<4096>)->Name("text of 4 KiB/read");
BENCHMARK(pin_text<4096>)->Name("text of 4 KiB/pin");
BENCHMARK(read_text<65536>)->Name("text of 64 KiB/read");
BENCHMARK(pin_text<65536>)->Name("text of 64 KiB/pin");
BENCHMARK(read_text<1 << 20>)->Name("text of 1 MiB/read");
BENCHMARK(pin_text<1 << 20>)->Name("text of 1 MiB/pin");

// The same from C.
int build_text(void* context, const void* /*argument*/, soft_builder* builder) {
    const auto* text = static_cast<const std::string*>(context);
    return soft_build(builder, text->data(), text->size());
}
template <std::size_t bytes, class Read>
void read_in_c(benchmark::State& state, Read&& read) {
    std::string text(bytes, 'x');
    soft_heap* own = soft_heap_create(64 << 20, 0);
    soft_pool* pool = soft_pool_create(own, "texts", build_text, &text);
    soft_object* object = soft_object_create(pool);
    soft_write(object, text.data(), text.size());
    soft_heap_seal(own);
    for ([[maybe_unused]] auto _ : state) {
        read(object, text);
    }
    soft_object_destroy(object);
    soft_pool_destroy(pool);
    soft_heap_destroy(own);
}
template <std::size_t bytes>
void copy_in_c(benchmark::State& state) {
    read_in_c<bytes>(state, [](soft_object* object, std::string& to) {
        soft_read(object, nullptr, to.data(), to.size(), nullptr);
        benchmark::ClobberMemory();
    });
}
template <std::size_t bytes>
void pin_in_c(benchmark::State& state) {
    read_in_c<bytes>(state, [](soft_object* object, std::string& /*to*/) {
        soft_lease* lease = nullptr;
        soft_pin(object, nullptr, &lease);
        benchmark::DoNotOptimize(soft_lease_bytes(lease, nullptr));
        soft_unpin(lease);
    });
}
BENCHMARK(copy_in_c<512>)->Name("512 B in C/read");
BENCHMARK(pin_in_c<512>)->Name("512 B in C/pin");
BENCHMARK(copy_in_c<4096>)->Name("4 KiB in C/read");
BENCHMARK(pin_in_c<4096>)->Name("4 KiB in C/pin");
BENCHMARK(copy_in_c<65536>)->Name("64 KiB in C/read");
BENCHMARK(pin_in_c<65536>)->Name("64 KiB in C/pin");

}  // namespace
}  // namespace soft::bench
