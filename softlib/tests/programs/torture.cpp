// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// softlib-torture READS: threads do so many reads and check each, while the kernel takes page after page (MADV_PAGEOUT) and
// segments are evacuated, released and used again. Exit status 1 if any read was wrong, or if nothing was lost on the way.
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "softlib/pool.hpp"

namespace {

constexpr std::size_t nr_small = 200'000;
constexpr std::size_t nr_large = 2'000;
constexpr unsigned nr_threads = 2;

// Content and number belong together, so that neither a torn value nor another object's passes for the right one.
using Small = std::array<std::uint64_t, 4>;

std::uint64_t mixed(std::uint64_t n) {
    n = (n ^ (n >> 31)) * 0x7fb5'd329'728e'a185U;
    return n ^ (n >> 27);
}

Small small_of(std::size_t number) {
    return {mixed(4 * number + 1), mixed(4 * number + 2), mixed(4 * number + 3), mixed(4 * number + 4)};
}

// Of more than a page each.
std::vector<std::uint64_t> large_of(std::size_t number) {
    std::vector<std::uint64_t> words(600 + number % 1000);
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = mixed(number * 7919 + i);
    }
    return words;
}

template <class T>
using Pointers = std::vector<soft::unique_ptr<T, std::size_t>>;

struct Torture {
    soft::heap heap{{.limit_bytes = std::size_t{64} << 20, .reserve_bytes = std::size_t{128} << 20}};
    soft::pool<Small, std::size_t> small_pool{heap, "small", small_of};
    soft::pool<std::vector<std::uint64_t>, std::size_t> large_pool{heap, "large", large_of};
    Pointers<Small> small;
    Pointers<std::vector<std::uint64_t>> large;
    std::atomic<std::uint64_t> reads{0};
    std::atomic<std::uint64_t> wrong{0};

    Torture() {
        for (std::size_t i = 0; i < nr_small; ++i) {
            small.push_back(small_pool.make());
        }
        for (std::size_t i = 0; i < nr_large; ++i) {
            large.push_back(large_pool.make());
        }
    }

    template <class T, class Make>
    void check(Pointers<T>& pointers, std::uint64_t dice, const Make& make) {
        const std::size_t number = dice % pointers.size();
        const T right = make(number);
        // Mostly reads, which find the results of earlier ones; seldom a rebuild, a write or a drop.
        switch (dice >> 32 & 63) {
            case 0:
                pointers[number].write(right);
                break;
            case 1:
                pointers[number].clear();
                break;
            default:
                wrong += pointers[number].read(number) == right ? 0 : 1;
        }
    }

    void read_on(std::uint64_t target, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        constexpr std::uint64_t batch = 1000;
        while (reads.fetch_add(batch, std::memory_order_relaxed) < target) {
            for (std::uint64_t i = 0; i < batch - 1; ++i) {
                check(small, random(), small_of);
            }
            check(large, random(), large_of);
        }
    }

    // The kernel and the owner take memory.
    void take(std::uint64_t target) {
        for (std::uint64_t turn = 0; reads.load(std::memory_order_relaxed) < target; ++turn) {
            heap.seal();
            heap.lose_pages(0.02, turn);
            if (turn % 16 == 0) {
                heap.release(std::size_t{4} << 20);
            }
            if (turn % 64 == 0) {
                heap.shrink(std::size_t{8} << 20);
            }
            std::this_thread::yield();
        }
    }
};

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t target = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
    if (target == 0) {
        std::fputs("Usage: softlib-torture READS\n", stderr);
        return 2;
    }
    Torture torture;
    std::vector<std::thread> readers;
    for (unsigned i = 0; i < nr_threads; ++i) {
        readers.emplace_back([&, i] { torture.read_on(target, i + 1); });
    }
    torture.take(target);
    for (std::thread& reader : readers) {
        reader.join();
    }
    const auto small = torture.small_pool.statistics();
    const auto large = torture.large_pool.statistics();
    const auto heap = torture.heap.statistics();
    std::printf("%llu reads, %llu wrong; lost %llu small and %llu large objects; moved %llu\n",
                static_cast<unsigned long long>(torture.reads), static_cast<unsigned long long>(torture.wrong),
                static_cast<unsigned long long>(small.lost), static_cast<unsigned long long>(large.lost),
                static_cast<unsigned long long>(heap.moved_objects));
    return torture.wrong == 0 && small.lost > 0 && large.lost > 0 && heap.moved_objects > 0 ? 0 : 1;
}
