// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// touch-pages MEBIBYTES TOUCHES: fills memory, reads it from front to back, and then reads random pages, each with a check.
// Prints one line: megabytes a second of the pass, and the latency in microseconds that half and 99 % of those random reads did
// not exceed that took longer than a read from local memory does.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t words = page_bytes / sizeof(std::uint64_t);
// Reads from local memory take well below a microsecond.
constexpr double min_fault_us = 2;

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

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3)
        return 2;
    const std::size_t nr_pages = std::strtoul(argv[1], nullptr, 10) * 1024 * 1024 / page_bytes;
    const std::size_t nr_touches = std::strtoul(argv[2], nullptr, 10);
    void* const mapped =
        ::mmap(nullptr, nr_pages * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return 2;
    auto* const memory = static_cast<std::uint64_t*>(mapped);
    for (std::size_t page = 0; page < nr_pages; ++page) {
        for (std::size_t at = 0; at < words; ++at)
            memory[page * words + at] = word(page, at);
    }
    bool is_right = true;
    const auto before = Clock::now();
    for (std::size_t page = 0; page < nr_pages; ++page)
        is_right = is_right && memory[page * words + page % words] == word(page, page % words);
    const double pass = microseconds(Clock::now() - before);
    std::mt19937_64 random(1);
    std::vector<double> faults;
    for (std::size_t n = 0; n < nr_touches; ++n) {
        const std::size_t page = random() % nr_pages;
        const std::size_t at = random() % words;
        const auto start = Clock::now();
        const std::uint64_t found = *const_cast<volatile std::uint64_t*>(memory + page * words + at);
        const double took = microseconds(Clock::now() - start);
        is_right = is_right && found == word(page, at);
        if (took >= min_fault_us)
            faults.push_back(took);
    }
    std::sort(faults.begin(), faults.end());
    const auto percentile = [&](double share) {
        return faults.empty() ? 0 : faults[static_cast<std::size_t>(share * static_cast<double>(faults.size() - 1))];
    };
    std::printf("sequential_mb_s %.0f p50_us %.1f p99_us %.1f slow_reads %zu of %zu\n",
                static_cast<double>(nr_pages * page_bytes) / pass, percentile(0.5), percentile(0.99), faults.size(), nr_touches);
    return is_right ? 0 : 1;
}
