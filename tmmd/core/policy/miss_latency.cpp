// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/miss_latency.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::core {

namespace {

constexpr double min_latency_s = 1.0 / (1 << 20);  // lower edge of the first bucket
constexpr double buckets_per_doubling = 4;

double fade(double reads) {
    return std::max(0.0, 1.0 - reads / LatencyEstimate::remembered_reads);
}

}  // namespace

LatencyEstimate::LatencyEstimate() {
    count(assumed_reads, unmeasured);
}

void LatencyEstimate::count(double reads, Seconds each) {
    const double place = buckets_per_doubling * std::log2(std::max(each.count(), min_latency_s) / min_latency_s);
    Bucket& bucket = by_latency_[static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, nr_buckets - 1.0))];
    bucket.reads += reads;
    bucket.time += each * reads;
}

void LatencyEstimate::add(const StoreReads& reads) {
    const bool sensible =
        std::isfinite(reads.reads) && reads.reads > 0 && std::isfinite(reads.time.count()) && reads.time.count() >= 0;
    if (!sensible)
        return;
    reads_ = reads_ * fade(reads.reads) + std::min(reads.reads, remembered_reads);
    const double counted = std::min(reads.reads, max_reads_of_epoch);
    for (Bucket& bucket : by_latency_) {
        bucket.reads *= fade(counted);
        bucket.time *= fade(counted);
    }
    counted_ = counted_ * fade(counted) + counted;
    count(counted, reads.time / reads.reads);
}

void LatencyEstimate::restore(double reads, Seconds usual) {
    *this = LatencyEstimate();
    if (!(std::isfinite(reads) && reads > 0 && std::isfinite(usual.count()) && usual.count() >= 0))
        return;
    reads_ = std::min(reads, remembered_reads);
    counted_ = reads_;
    by_latency_ = {};
    count(std::min(reads_ + assumed_reads, remembered_reads), usual);
}

Seconds LatencyEstimate::usual() const {
    double all = 0;
    for (const Bucket& bucket : by_latency_)
        all += bucket.reads;
    Bucket counted;
    std::size_t end = nr_buckets;
    for (std::size_t i = 0; i < end; ++i) {
        const bool is_median = end == nr_buckets && counted.reads + by_latency_[i].reads >= all / 2;
        counted.reads += by_latency_[i].reads;
        counted.time += by_latency_[i].time;
        if (is_median)
            end = std::min(nr_buckets, i + 1 + static_cast<std::size_t>(buckets_per_doubling * std::log2(max_of_median)));
    }
    return counted.time / counted.reads;
}

void MissLatency::add(const std::array<StoreReads, nr_stores>& reads) {
    for (std::size_t store = 0; store < nr_stores; ++store)
        stores_[store].add(reads[store]);
}

ByBacking MissLatency::usual() const {
    const LatencyEstimate& disk = of(Store::swap_disk);
    const LatencyEstimate& zram = of(Store::swap_zram);
    const double swapped = disk.reads() + zram.reads();
    ByBacking latency{};
    latency[static_cast<std::size_t>(Backing::anonymous)] =
        swapped > 0 ? ((disk.usual() * disk.reads() + zram.usual() * zram.reads()) / swapped).count()
                    : LatencyEstimate::unmeasured.count();
    latency[static_cast<std::size_t>(Backing::file)] = of(Store::file).usual().count();
    return latency;
}

}  // namespace tmm::core
