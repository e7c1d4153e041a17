// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/reuse/reuse_sampler.hpp"

#include <algorithm>
#include <cmath>

namespace soft {

std::uint64_t reuse_sampler::bucket_end(std::size_t bucket) {
    return static_cast<std::uint64_t>(std::llround(std::exp2(20 + static_cast<double>(bucket) / 16)));
}

namespace {

// A heap needs more than the estimated distance to hit: the number of watched objects in between varies by its square root, and
// softlib is no exact LRU. Two standard deviations predict softlib best (experiments/06-soft-memory).
constexpr double safety = 2;

// Of an object, so that the sum over all that are watched fits.
constexpr std::uint64_t max_watched_bytes = std::uint64_t{1} << 50;

double objects_below(std::uint64_t limit) {
    return std::exp2(64) / static_cast<double>(limit);
}

}  // namespace

double reuse_sampler::objects_per_watched() const {
    return objects_below(limit_);
}

// Lowers the limit below the largest hash that is watched.
void reuse_sampler::watch_fewer() {
    const auto largest = std::max_element(latest_first_.begin(), latest_first_.end(),
                                          [](const watched& a, const watched& b) { return a.hash < b.hash; });
    limit_ = largest->hash;
    counted_ = std::min(counted_, limit_);
    latest_first_.erase(largest);
}

// Raises the limit so far that half of max_watched will be watched.
void reuse_sampler::watch_more() {
    const std::uint64_t times = max_watched / 2 / std::max<std::size_t>(latest_first_.size(), 1);
    limit_ = limit_ > UINT64_MAX / times ? UINT64_MAX : limit_ * times;
    counts_more_at_s_ = now_s_ + forgotten_after_s;
}

void reuse_sampler::watch_at_most(std::size_t count) {
    while (latest_first_.size() > count) {
        watch_fewer();
    }
}

void reuse_sampler::used(std::uint64_t key, std::uint64_t bytes) {
    const std::uint64_t hashed = detail::mixed(key);
    if (hashed >= limit_) {
        return;
    }
    bytes = std::min(bytes, max_watched_bytes);
    // Whole numbers: they add up faster.
    std::uint64_t since = bytes;
    std::uint64_t objects_since = 1;
    std::size_t place = 0;
    for (; place < latest_first_.size() && latest_first_[place].hash != hashed; ++place) {
        since += counted_bytes(latest_first_[place]);
        objects_since += latest_first_[place].hash < counted_ ? 1 : 0;
    }
    const double objects = hashed < counted_ ? objects_below(counted_) : 0;
    if (place == latest_first_.size()) {
        first_uses_ += objects;
        latest_first_.insert(latest_first_.begin(), {hashed, bytes, now_s_});
        if (latest_first_.size() > max_watched) {
            watch_fewer();
        }
        return;
    }
    const double distance =
        static_cast<double>(since) * objects_below(counted_) * (1 + safety / std::sqrt(static_cast<double>(objects_since)));
    const double bucket = std::ceil(16 * (std::log2(std::max(distance, 1.0)) - 20));
    reuses_[static_cast<std::size_t>(std::clamp(bucket, 0.0, static_cast<double>(buckets - 1)))] += objects;
    std::rotate(latest_first_.begin(), latest_first_.begin() + static_cast<std::ptrdiff_t>(place),
                latest_first_.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    latest_first_.front() = {hashed, bytes, now_s_};
}

void reuse_sampler::pass(double seconds, double counted_s) {
    const double kept = std::exp2(-seconds / half_life_s);
    for (double& count : reuses_) {
        count *= kept;
    }
    first_uses_ *= kept;
    seconds_ = (seconds_ + counted_s) * kept;
    now_s_ += seconds;
    while (!latest_first_.empty() && now_s_ - latest_first_.back().used_s > forgotten_after_s) {
        latest_first_.pop_back();
    }
    if (now_s_ >= counts_more_at_s_) {
        counted_ = limit_;
        if (limit_ < UINT64_MAX && latest_first_.size() < max_watched / 4) {
            watch_more();
        }
    }
}

reuse_sampler::curve reuse_sampler::estimate() const {
    curve estimated;
    if (seconds_ <= 0) {
        return estimated;
    }
    for (std::size_t i = 0; i < buckets; ++i) {
        estimated.reuses_per_s[i] = reuses_[i] / seconds_;
    }
    estimated.first_uses_per_s = first_uses_ / seconds_;
    std::uint64_t bytes = 0;
    for (const watched& one : latest_first_) {
        bytes += counted_bytes(one);
    }
    estimated.footprint_bytes =
        static_cast<std::uint64_t>(std::min(static_cast<double>(bytes) * objects_below(counted_), 0x1p63));
    return estimated;
}

}  // namespace soft
