// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Measures the processor time of dividing soft memory among the heaps of one user, once a second. Reports medians; asserts
// nothing.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>
#include <vector>

#include "tmmd/core/soft/division.hpp"

namespace {

using namespace tmm;
using namespace tmm::core;

// Curves without order: no division fits the next second.
std::vector<SoftHeap> random_heaps(std::size_t count, std::mt19937_64& random) {
    std::uniform_real_distribution<double> rate(0, 1000);
    std::vector<SoftHeap> heaps(count);
    for (std::size_t i = 0; i < count; ++i) {
        heaps[i].id = i;
        heaps[i].rebuild_s = 0.001;
        for (double& reuses : heaps[i].reuses_per_s)
            reuses = rate(random);
    }
    return heaps;
}

double median_division_ms(std::size_t count) {
    std::mt19937_64 random(1);
    SoftDivision division;
    std::vector<double> times_ms;
    for (int second = 0; second < 60; ++second) {
        const std::vector<SoftHeap> heaps = random_heaps(count, random);
        const std::clock_t start = std::clock();
        static_cast<void>(division.divide(Bytes(std::uint64_t{16} << 30), heaps));
        times_ms.push_back(1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    std::nth_element(times_ms.begin(), times_ms.begin() + 30, times_ms.end());
    return times_ms[30];
}

}  // namespace

int main() {
    std::printf("division of soft memory, median of 60\n");
    for (const std::size_t count : {std::size_t{4}, std::size_t{16}, std::size_t{64}})
        std::printf("  %2zu heaps: %.2f ms\n", count, median_division_ms(count));
}
