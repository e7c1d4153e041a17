// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Measures the processor time of an epoch in the daemon, without the kernel's part: ResidentSet and Policy on the samples of a 16
// GiB machine. All samples are resident, a part of them is touched. Reports medians; asserts nothing.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "tmmd/core/histogram/resident_set.hpp"
#include "tmmd/core/policy/policy.hpp"

namespace {

using namespace tmm::core;
using Clock = std::chrono::steady_clock;

constexpr std::size_t nr_samples = 32768;
constexpr std::uint32_t weight = 128;
constexpr Pages installed(nr_samples* weight);

double median_epoch_ms(double touched_share) {
    std::mt19937_64 random(1);
    std::bernoulli_distribution touched(touched_share);
    ResidentSet resident;
    Policy policy({}, installed);
    const MemoryUsage usage{installed, installed / 2, installed / 4};
    std::vector<double> times_ms;
    AwakeTime now{};
    for (int epoch = 0; epoch < 60; ++epoch) {
        std::vector<ScannedPage> scan;
        for (PageKey key = 0; key < nr_samples; ++key)
            scan.push_back({key * weight, weight, touched(random)});
        const auto start = Clock::now();
        policy.step(resident.update(std::move(scan)), usage, now += std::chrono::seconds(1));
        times_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    std::nth_element(times_ms.begin(), times_ms.begin() + 30, times_ms.end());
    return times_ms[30];
}

}  // namespace

int main() {
    std::printf("epoch of a 16 GiB machine, %zu samples, median of 60\n", nr_samples);
    for (const double share : {0.0, 0.05, 0.5, 1.0})
        std::printf("  %3.0f %% touched: %.2f ms\n", share * 100, median_epoch_ms(share));
}
