// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/miss_latency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tmm::core {

namespace {

constexpr double min_latency_s = 1.0 / (1 << 20);  // lower edge of the first bucket

}  // namespace

void LatencyEstimate::add(const StoreReads& reads) {
    const bool sensible =
        std::isfinite(reads.reads) && reads.reads > 0 && std::isfinite(reads.time.count()) && reads.time.count() >= 0;
    if (!sensible)
        return;
    const double kept = std::max(0.0, 1.0 - reads.reads / remembered_reads);
    const double taken = std::min(reads.reads, remembered_reads);
    const Seconds each = reads.time / reads.reads;
    reads_ = reads_ * kept + taken;
    time_ = time_ * kept + each * taken;
    for (double& bucket : by_latency_)
        bucket *= kept;
    const double steps = 4 * std::log2(std::max(each.count(), min_latency_s) / min_latency_s);
    by_latency_[static_cast<std::size_t>(std::clamp(std::floor(steps), 0.0, nr_buckets - 1.0))] += taken;
}

Seconds LatencyEstimate::mean() const {
    return reads_ > 0 ? time_ / reads_ : Seconds(0);
}

Seconds LatencyEstimate::p95() const {
    double slower = 0;
    for (int bucket = nr_buckets - 1; bucket >= 0; --bucket) {
        slower += by_latency_[static_cast<std::size_t>(bucket)];
        if (slower > 0.05 * reads_)
            return Seconds(min_latency_s * std::exp2((bucket + 1) / 4.0));
    }
    return Seconds(0);
}

void MissLatency::add(const std::array<StoreReads, nr_stores>& reads) {
    for (std::size_t store = 0; store < nr_stores; ++store)
        stores_[store].add(reads[store]);
}

ByBacking MissLatency::mean() const {
    return by_backing(&LatencyEstimate::mean);
}

ByBacking MissLatency::p95() const {
    return by_backing(&LatencyEstimate::p95);
}

ByBacking MissLatency::by_backing(Seconds (LatencyEstimate::*what)() const) const {
    const auto of_stores = [&](std::initializer_list<Store> stores) {
        double reads = 0;
        Seconds weighted{0};
        for (const Store store : stores) {
            reads += of(store).reads();
            weighted += (of(store).*what)() * of(store).reads();
        }
        return (reads >= min_reads ? weighted / reads : unmeasured).count();
    };
    ByBacking latency{};
    latency[static_cast<std::size_t>(Backing::anonymous)] = of_stores({Store::swap_disk, Store::swap_zram});
    latency[static_cast<std::size_t>(Backing::file)] = of_stores({Store::file});
    return latency;
}

}  // namespace tmm::core
