// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/backed_histogram.hpp"

#include "tmmd/core/histogram/spatial_sampling.hpp"

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

std::size_t GroupedHistogram::group_of(PageKey key) {
    // A sampler may have chosen the pages by mixed(key): the sub-groups need another hash.
    return mixed(key ^ 0x9e3779b97f4a7c15U) % nr_groups;
}

GroupedHistogram::GroupedHistogram(Pages bucket_pages, std::size_t nr_buckets)
    : all(bucket_pages, nr_buckets), groups{all, all, all, all, all, all, all, all} {}

void GroupedHistogram::add_counted(double from, double to, const ByBacking& accesses) {
    all.add(from, to, accesses);
    for (BackedHistogram& group : groups)
        group.add(from, to, accesses);
}

void GroupedHistogram::add_scaled(const GroupedHistogram& other, double scale) {
    all.add_scaled(other.all, scale);
    for (std::size_t group = 0; group < nr_groups; ++group)
        groups[group].add_scaled(other.groups[group], scale);
}

void GroupedHistogram::average_in(const GroupedHistogram& newer, double scale, double weight) {
    all.average_in(newer.all, scale, weight);
    for (std::size_t group = 0; group < nr_groups; ++group)
        groups[group].average_in(newer.groups[group], scale, weight);
}

GroupedHistogram GroupedHistogram::rebucketed(Pages bucket_pages, std::size_t nr_buckets) const {
    GroupedHistogram result(bucket_pages, nr_buckets);
    result.all = all.rebucketed(bucket_pages, nr_buckets);
    for (std::size_t group = 0; group < nr_groups; ++group)
        result.groups[group] = groups[group].rebucketed(bucket_pages, nr_buckets);
    return result;
}

void GroupedHistogram::clear() {
    all.clear();
    for (BackedHistogram& group : groups)
        group.clear();
}

}  // namespace tmm::core
