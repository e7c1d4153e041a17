// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// touch-pages MEBIBYTES TOUCHES [write]: fills memory, touches it from front to back, and then touches random pages, each with a
// check. With `write` each touch reads and writes, else it only reads. Prints one line of names and values: megabytes a second of
// the pass, mean latencies of a touch in the pass and of random ones, and the latency in microseconds that half and 99 % of those
// random touches did not exceed that took longer than a read from local memory does.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t words = page_bytes / sizeof(std::uint64_t);
// Reads from local memory take well below a microsecond.
constexpr double min_fault_us = 2;
// Memory beyond the limit leaves meanwhile.
constexpr std::chrono::seconds time_to_leave{1};

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration time) {
    return std::chrono::duration<double, std::micro>(time).count();
}

// No two pages are alike, and none compresses.
std::uint64_t word(std::uint64_t page, std::size_t at) {
    std::uint64_t mixed = (page * words + at + 1) * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 29;
    return mixed * 0xbf58476d1ce4e5b9U;
}

class Pages {
public:
    Pages(std::uint64_t* memory, std::size_t nr_pages, bool writes) : memory_(memory), writes_(writes), added_(nr_pages) {
        for (std::size_t page = 0; page < nr_pages; ++page) {
            for (std::size_t at = 0; at < words; ++at)
                memory_[page * words + at] = word(page, at);
        }
    }

    // A page has one word that changes: each write adds one.
    void touch(std::size_t page) {
        volatile std::uint64_t& touched = memory_[page * words + page % words];
        is_right_ = is_right_ && touched == word(page, page % words) + added_[page];
        if (writes_)
            touched = word(page, page % words) + ++added_[page];
    }
    [[nodiscard]] bool is_right() const { return is_right_; }

private:
    std::uint64_t* const memory_;
    const bool writes_;
    std::vector<std::uint32_t> added_;
    bool is_right_ = true;
};

}  // namespace

int main(int argc, char** argv) {
    const bool writes = argc == 4 && std::string_view(argv[3]) == "write";
    if (argc != 3 && !writes)
        return 2;
    const std::size_t nr_pages = std::strtoul(argv[1], nullptr, 10) * 1024 * 1024 / page_bytes;
    const std::size_t nr_touches = std::strtoul(argv[2], nullptr, 10);
    void* const mapped =
        ::mmap(nullptr, nr_pages * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return 2;
    Pages pages(static_cast<std::uint64_t*>(mapped), nr_pages, writes);
    std::this_thread::sleep_for(time_to_leave);
    const auto before = Clock::now();
    for (std::size_t page = 0; page < nr_pages; ++page)
        pages.touch(page);
    const double pass = microseconds(Clock::now() - before);
    std::mt19937_64 random(1);
    std::vector<double> faults;
    double all = 0;
    for (std::size_t n = 0; n < nr_touches; ++n) {
        const std::size_t page = random() % nr_pages;
        const auto start = Clock::now();
        pages.touch(page);
        const double took = microseconds(Clock::now() - start);
        all += took;
        if (took >= min_fault_us)
            faults.push_back(took);
    }
    std::sort(faults.begin(), faults.end());
    const auto percentile = [&](double share) {
        return faults.empty() ? 0 : faults[static_cast<std::size_t>(share * static_cast<double>(faults.size() - 1))];
    };
    std::printf("sequential_mb_s %.0f sequential_us %.2f random_us %.2f p50_us %.1f p99_us %.1f slow_touches %zu\n",
                static_cast<double>(nr_pages * page_bytes) / pass, pass / static_cast<double>(nr_pages),
                all / static_cast<double>(nr_touches), percentile(0.5), percentile(0.99), faults.size());
    return pages.is_right() ? 0 : 1;
}
