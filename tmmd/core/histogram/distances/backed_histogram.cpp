// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/distances/backed_histogram.hpp"

namespace tmm::core {

BackedHistogram::BackedHistogram(Pages bucket_pages, std::size_t nr_buckets)
    : histograms_{LruHistogram(bucket_pages, nr_buckets), LruHistogram(bucket_pages, nr_buckets)} {}

void BackedHistogram::add(double from, double to, const ByBacking& accesses) {
    for (std::size_t backing = 0; backing < nr_backings; ++backing) {
        if (accesses[backing] > 0)
            histograms_[backing].add(from, to, accesses[backing]);
    }
}

void BackedHistogram::add_scaled(const BackedHistogram& other, double scale) {
    for (std::size_t backing = 0; backing < nr_backings; ++backing)
        histograms_[backing].add_scaled(other.histograms_[backing], scale);
}

void BackedHistogram::average_in(const BackedHistogram& newer, double scale, double weight) {
    for (std::size_t backing = 0; backing < nr_backings; ++backing)
        histograms_[backing].average_in(newer.histograms_[backing], scale, weight);
}

void BackedHistogram::clear() {
    for (LruHistogram& histogram : histograms_)
        histogram.clear();
}

BackedHistogram BackedHistogram::rebucketed(Pages bucket_pages, std::size_t nr_buckets) const {
    BackedHistogram result(bucket_pages, nr_buckets);
    for (std::size_t backing = 0; backing < nr_backings; ++backing)
        result.histograms_[backing] = histograms_[backing].rebucketed(bucket_pages, nr_buckets);
    return result;
}

double BackedHistogram::misses(Pages size) const {
    return of(Backing::anonymous).misses(size) + of(Backing::file).misses(size);
}

double BackedHistogram::accesses() const {
    return of(Backing::anonymous).accesses() + of(Backing::file).accesses();
}

LruHistogram BackedHistogram::weighted(const ByBacking& cost_of_a_miss) const {
    LruHistogram cost(histograms_[0].bucket_pages(), histograms_[0].nr_buckets());
    for (std::size_t backing = 0; backing < nr_backings; ++backing)
        cost.add_scaled(histograms_[backing], cost_of_a_miss[backing]);
    return cost;
}

}  // namespace tmm::core
