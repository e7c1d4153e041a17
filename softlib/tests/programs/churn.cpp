// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// softlib-churn HOURS: uses soft memory for some seconds as a desktop program does in so many hours. Each minute a new thread
// uses containers that live all day. Each hour another heap comes and goes. On the way pages are lost and segments used again.
// Prints a line each hour. Exit status 1 if the process has grown after its first hours: in addresses, descriptors or threads.
#include <malloc.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "softlib/cache.hpp"
#include "softlib/pool.hpp"
#include "softlib/queue.hpp"
#include "softlib/unordered_map.hpp"
#include "tests/mebibyte.hpp"

namespace {

using soft::mebibyte;

constexpr unsigned minutes_an_hour = 60;
constexpr unsigned uses_a_minute = 3000;  // fifty a second
// Until each container has reached its full size.
constexpr unsigned hours_to_grow = 4;
// Threads that have been joined and still hold the stacks that the next ones need anew. A leak each hour exceeds this after a
// day.
constexpr std::size_t slack_threads = 2;
constexpr std::size_t stack_bytes = mebibyte;
constexpr std::size_t slack_bytes = slack_threads * stack_bytes + 4 * mebibyte;

using Random = std::mt19937_64;

// An ending thread beside a new one would change the count by luck: an arena of 64 MiB, a stack of 8 MiB.
void leave_little_to_luck() {
    mallopt(M_ARENA_MAX, 1);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

// Mostly small, seldom larger than a segment.
std::string any_bytes(Random& random) {
    const std::uint64_t pick = random() % 1000;
    const std::size_t max_bytes = pick == 0 ? 3 * mebibyte : pick < 50 ? 200'000 : 2000;
    return std::string(1 + random() % max_bytes, static_cast<char>(pick));
}

// Containers that live as long as the program.
class Program {
public:
    void use(Random& random) {
        const std::uint64_t key = random() % 20'000;
        switch (random() % 8) {
            case 0:
            case 1:
            case 2:
                thumbnails_.get_or(key, [&] { return any_bytes(random); });
                break;
            case 3:
                thumbnails_.erase(key);
                break;
            case 4:
                results_.insert_or_assign(key, words_of(key));
                break;
            case 5:
                results_.erase(key);
                break;
            case 6:
                lines_.push(any_bytes(random));
                if (lines_.size() > 1000) {
                    lines_.pop();
                }
                break;
            default:
                shared_[key % shared_.size()] = blocks_.make_shared();
                shared_[key % shared_.size()].read(key);
                shared_[(key + 1) % shared_.size()] = shared_[key % shared_.size()];
        }
    }

    void lose(std::uint64_t seed) {
        heap_.seal();
        heap_.lose_pages(0.1, seed);
        heap_.release(8 * mebibyte);
    }

private:
    using Cache = soft::cache<std::uint64_t, std::string>;
    using Words = std::array<std::uint64_t, 4>;
    using Blocks = soft::pool<Words, std::uint64_t>;

    static soft::cache_options small() {
        soft::cache_options options;
        options.budget_bytes = 16 * mebibyte;
        return options;
    }
    static Words words_of(std::uint64_t n) { return {n, n, n, n}; }

    soft::heap heap_{{.limit_bytes = 32 * mebibyte, .reserve_bytes = 128 * mebibyte}};
    Cache thumbnails_{heap_, "thumbnails", small()};
    soft::unordered_map<std::uint64_t, Words> results_{heap_, "results", words_of};
    soft::queue<std::string> lines_{heap_, "lines"};
    Blocks blocks_{heap_, "blocks", words_of};
    std::array<soft::shared_ptr<Words, std::uint64_t>, 500> shared_;
};

// A document that is opened and closed again.
void use_heap_of_its_own(std::uint64_t seed) {
    Random random(seed);
    soft::heap heap({.limit_bytes = 8 * mebibyte, .reserve_bytes = 16 * mebibyte});
    soft::pool<std::string, std::uint64_t> pool(heap, "document", [&](std::uint64_t) { return any_bytes(random); });
    std::vector<soft::unique_ptr<std::string, std::uint64_t>> objects;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        objects.push_back(pool.make(any_bytes(random)));
    }
    heap.shrink(mebibyte);
}

struct Footprint {
    std::size_t address_bytes = 0;
    std::size_t descriptors = 0;
    std::size_t threads = 0;
};

std::size_t entries(const char* folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

Footprint footprint() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return {pages * 4096, entries("/proc/self/fd"), entries("/proc/self/task")};
}

}  // namespace

int main(int argc, char** argv) {
    const unsigned long hours = argc == 2 ? std::strtoul(argv[1], nullptr, 10) : 0;
    if (hours <= hours_to_grow) {
        std::fprintf(stderr, "Usage: softlib-churn HOURS (more than %u)\n", hours_to_grow);
        return 2;
    }
    leave_little_to_luck();
    Program program;
    Footprint max;
    bool grew = false;
    for (unsigned long hour = 1; hour <= hours; ++hour) {
        for (unsigned minute = 0; minute < minutes_an_hour; ++minute) {
            const std::uint64_t seed = hour * minutes_an_hour + minute;
            std::thread([&] {
                Random random(seed);
                for (unsigned i = 0; i < uses_a_minute; ++i) {
                    program.use(random);
                }
            }).join();
            program.lose(seed);
        }
        use_heap_of_its_own(hour);
        const Footprint now = footprint();
        std::printf("hour %2lu: %zu MiB of addresses, %zu descriptors, %zu threads\n", hour, now.address_bytes / mebibyte,
                    now.descriptors, now.threads);
        if (hour <= hours_to_grow) {
            max = {std::max(max.address_bytes, now.address_bytes), std::max(max.descriptors, now.descriptors),
                   std::max(max.threads, now.threads)};
        } else {
            grew = grew || now.address_bytes > max.address_bytes + slack_bytes || now.descriptors > max.descriptors ||
                   now.threads > max.threads + slack_threads;
        }
    }
    return grew ? 1 : 0;
}
