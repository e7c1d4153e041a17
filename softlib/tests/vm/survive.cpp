// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// softlib-survive SOFT_MB HOG_MB fixed|machine: fills soft memory. Then another process takes more memory than is free, while
// threads go on reading and check each value. With `machine` the heap follows the machine's free memory meanwhile, and the other
// process takes memory no faster than a heap can follow. Prints the counts; exit status 1 if a read gave a wrong value.
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "softlib/pool.hpp"
#include "tests/vm/programs.hpp"

namespace soft::pressure {
namespace {

constexpr std::size_t small_objects_share = 4;  // of the bytes, one in so many
constexpr std::size_t page = 4096;

struct Small {
    std::array<std::uint64_t, 8> words;
    bool operator==(const Small&) const = default;
};

std::uint64_t mixed(std::uint64_t n) {
    n = (n ^ (n >> 31)) * 0x7fb5'd329'728e'a185U;
    return n ^ (n >> 27);
}

Small small_of(std::size_t number) {
    Small small{};
    for (std::size_t i = 0; i < small.words.size(); ++i) {
        small.words[i] = mixed(number * small.words.size() + i + 1);
    }
    return small;
}

std::string large_of(std::size_t number) {
    std::string text(1000 + mixed(number) % 15000, '\0');
    for (std::size_t i = 0; i < text.size(); ++i) {
        text[i] = static_cast<char>(mixed(number + i / 8) >> (i % 8 * 8));
    }
    return text;
}

// A heap looks at the machine four times a second while memory is short.
constexpr std::size_t followed_step = 2 * mebibyte;
constexpr auto followed_pause = std::chrono::milliseconds(40);

// Takes memory and uses it; the answer says whether all of it was there.
std::uint64_t hog(std::uint64_t bytes, bool followed) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        return 0;
    }
    auto* memory = static_cast<unsigned char*>(at);
    for (std::size_t turn = 0; turn < 2; ++turn) {
        for (std::size_t i = 0; i < bytes; i += page) {
            if (followed && turn == 0 && i % followed_step == 0) {
                std::this_thread::sleep_for(followed_pause);
            }
            memory[i] = static_cast<unsigned char>(memory[i] + 1);
        }
    }
    bool right = true;
    for (std::size_t i = 0; i < bytes; i += page) {
        right = right && memory[i] == 2;
    }
    munmap(at, bytes);
    return right ? 1 : 0;
}

struct Counts {
    std::atomic<std::uint64_t> reads{0};
    std::atomic<std::uint64_t> wrong{0};
};

template <class Pointers, class Make>
void check_one(const Pointers& pointers, std::size_t number, const Make& make, bool rebuild, Counts& counts) {
    counts.reads.fetch_add(1, std::memory_order_relaxed);
    const auto right = make(number);
    if (rebuild) {
        counts.wrong.fetch_add(pointers[number].read(number) == right ? 0 : 1, std::memory_order_relaxed);
    } else if (const auto there = pointers[number].try_get()) {
        counts.wrong.fetch_add(*there == right ? 0 : 1, std::memory_order_relaxed);
    }
}

int survive(std::size_t soft_bytes, std::size_t hog_bytes, const std::string& source) {
    drop_privileges();
    Other other([followed = source == "machine"](std::uint64_t bytes) { return hog(bytes, followed); });
    const std::uint64_t kills = vmstat("oom_kill");
    soft::heap heap({.limit_bytes = soft_bytes});
    pool<Small, std::size_t> small_pool(heap, "small", small_of);
    pool<std::string, std::size_t> large_pool(heap, "large", large_of);
    std::vector<unique_ptr<Small, std::size_t>> small;
    std::vector<unique_ptr<std::string, std::size_t>> large;
    // A tenth stays free, so that no object goes because of the limit.
    const std::size_t fill = soft_bytes / 10 * 9;
    for (std::size_t bytes = 0; bytes < fill / small_objects_share; bytes += sizeof(Small) + 4) {
        small.push_back(small_pool.make(small_of(small.size())));
    }
    for (std::size_t bytes = 0; bytes < fill - fill / small_objects_share;) {
        const std::string text = large_of(large.size());
        large.push_back(large_pool.make(text));
        bytes += text.size() + 8;
    }
    heap.seal();
    say("soft_bytes", heap.statistics().segment_bytes);
    say("evicted", heap.statistics().evicted_objects);
    say("lazy_free_bytes", heap.lazy_free_bytes());
    if (source == "machine") {
        heap.follow(std::make_unique<machine_budget>());
    }

    Counts counts;
    std::atomic<bool> done{false};
    std::vector<std::thread> readers;
    for (unsigned seed = 1; seed <= 2; ++seed) {
        readers.emplace_back([&, seed] {
            std::mt19937 random(seed);
            while (!done) {
                check_one(small, random() % small.size(), small_of, random() % 8 == 0, counts);
                check_one(large, random() % large.size(), large_of, random() % 64 == 0, counts);
            }
        });
    }
    other.order(hog_bytes);
    const std::uint64_t hog_was_right = other.answer();
    done = true;
    for (std::thread& reader : readers) {
        reader.join();
    }
    const std::size_t resident = heap.statistics().resident_bytes;
    for (std::size_t i = 0; i < small.size(); ++i) {
        check_one(small, i, small_of, true, counts);
    }
    for (std::size_t i = 0; i < large.size(); ++i) {
        check_one(large, i, large_of, true, counts);
    }
    say("hog_was_right", hog_was_right);
    say("resident_bytes", resident);
    say("reads", counts.reads);
    say("wrong", counts.wrong);
    say("lost", small_pool.statistics().lost + large_pool.statistics().lost);
    say("oom_kills", vmstat("oom_kill") - kills);
    say("swapped_out", vmstat("pswpout"));
    return counts.wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace soft::pressure

int main(int argc, char** argv) {
    try {
        if (argc != 4) {
            std::fputs("Usage: softlib-survive SOFT_MB HOG_MB fixed|machine\n", stderr);
            return 2;
        }
        return soft::pressure::survive(std::strtoul(argv[1], nullptr, 10) * soft::pressure::mebibyte,
                                       std::strtoul(argv[2], nullptr, 10) * soft::pressure::mebibyte, argv[3]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "softlib-survive: %s\n", error.what());
        return 2;
    }
}
