// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Soft memory where little else is left: in destructors of objects of ending threads and of static objects, while a thread that
// nobody joins goes on. Exit status 0: all went well.
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "softlib/pool.hpp"
#include "softlib/unordered_map.hpp"

namespace {

using Words = std::array<std::uint64_t, 16>;
using Pool = soft::pool<Words, std::uint64_t>;

Words words_of(std::uint64_t n) {
    Words words;
    words.fill(n);
    return words;
}

// Ends a program that has reported success.
void check(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        std::_Exit(1);
    }
}

// Never destroyed: later destructors and threads use it.
Pool& kept_pool() {
    static auto* const pool = new Pool("kept", words_of);
    return *pool;
}

void use_soft_memory(std::uint64_t seed, const char* where) {
    std::vector<soft::unique_ptr<Words, std::uint64_t>> objects;
    for (std::uint64_t n = seed; n < seed + 500; ++n) {
        objects.push_back(kept_pool().make(words_of(n)));
    }
    for (std::uint64_t n = seed; n < seed + 500; ++n) {
        check(objects[n - seed].read(n) == words_of(n), where);
        objects[n - seed].write(words_of(n));
    }
    soft::heap::process().seal();
}

class UsesItWhenDestroyed {
public:
    explicit UsesItWhenDestroyed(const char* where) : where_(where) {}
    ~UsesItWhenDestroyed() { use_soft_memory(7, where_); }
    UsesItWhenDestroyed(const UsesItWhenDestroyed&) = delete;
    UsesItWhenDestroyed& operator=(const UsesItWhenDestroyed&) = delete;

private:
    const char* where_;
};

// Made first, and so destroyed last.
UsesItWhenDestroyed last("the last static object");
soft::unordered_map<std::uint64_t, Words> map(soft::heap::process(), "static", words_of);
Pool pool("static", words_of);
std::vector<soft::shared_ptr<Words, std::uint64_t>> objects;
UsesItWhenDestroyed first("the first static object");

}  // namespace

int main() {
    for (std::uint64_t n = 0; n < 5000; ++n) {
        map.insert_or_assign(n, words_of(n));
        objects.push_back(pool.make_shared(words_of(n)));
    }
    for (std::uint64_t n = 0; n < 50; ++n) {
        std::thread([n] {
            // Made before the thread uses soft memory, so it is destroyed after the library's data of the thread.
            thread_local const UsesItWhenDestroyed at_the_end("the end of a thread");
            use_soft_memory(n, "a thread");
        }).join();
    }
    thread_local const UsesItWhenDestroyed at_the_end("the end of the first thread");
    std::atomic<bool> runs{false};
    std::thread([&runs] {
        for (std::uint64_t n = 0;; ++n) {
            use_soft_memory(n, "a thread that nobody waits for");
            if (n == 0) {
                runs = true;
            }
        }
    }).detach();
    while (!runs) {
        std::this_thread::yield();
    }
    std::exit(0);
}
