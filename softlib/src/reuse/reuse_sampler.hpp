// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// reuse_sampler: estimates from few watched objects how often a heap of any size would hit: SHARDS (FAST'15), with a bounded
// number of samples. An object is watched if a hash of its key is small, and stays so after it is dropped. The distance of a use
// is the memory of all objects used since the last use of the same one. Keys that were not used for long are forgotten; if few
// are left, more are watched, and count once their first uses are known to be no first ones. Pure: time is an argument. Not
// thread-safe.
#ifndef SOFTLIB_SRC_REUSE_SAMPLER_HPP
#define SOFTLIB_SRC_REUSE_SAMPLER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "softlib/detail/mixed.hpp"

namespace soft {

class reuse_sampler {
public:
    static constexpr std::size_t max_watched = 1024;
    static constexpr std::size_t buckets = 256;
    // Counts of a second weigh half as much so much later.
    static constexpr double half_life_s = 15;
    // A key is forgotten when counts of its last use weigh 1/256.
    static constexpr double forgotten_after_s = 8 * half_life_s;

    // The distances of bucket i end there: sixteenths of a doubling from 1 MiB on.
    static std::uint64_t bucket_end(std::size_t bucket);

    // Returns whether uses of this key are to be told. One comparison, for the caller's fast path.
    [[nodiscard]] bool watches(std::uint64_t key) const noexcept { return detail::mixed(key) < limit_; }
    // Keys are watched if detail::mixed() of them is below.
    [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }
    // Each watched key stands for so many.
    [[nodiscard]] double objects_per_watched() const;
    [[nodiscard]] std::size_t watched_keys() const noexcept { return latest_first_.size(); }
    // Watches fewer from now on if there are more than count.
    void watch_at_most(std::size_t count);

    // Takes a use of a watched key. bytes: what its object takes in the heap.
    void used(std::uint64_t key, std::uint64_t bytes);

    // Ages all counts. seconds: since the last call. counted_s: of them, those by which rates are counted.
    void pass(double seconds, double counted_s);
    void pass(double seconds) { pass(seconds, seconds); }

    struct curve {
        std::array<double, buckets> reuses_per_s{};
        double first_uses_per_s = 0;
        std::uint64_t footprint_bytes = 0;  // of all objects used lately
    };
    [[nodiscard]] curve estimate() const;

private:
    struct watched {
        std::uint64_t hash;
        std::uint64_t bytes;
        double used_s;  // as now_s_
    };

    void watch_fewer();
    void watch_more();
    [[nodiscard]] std::uint64_t counted_bytes(const watched& one) const { return one.hash < counted_ ? one.bytes : 0; }

    std::vector<watched> latest_first_;
    std::uint64_t limit_ = UINT64_MAX;      // hashes below it are watched
    std::uint64_t counted_ = UINT64_MAX;    // their uses count if the hash is below this, too
    double counts_more_at_s_ = 0;           // then all of them count
    double now_s_ = 0;                      // since the start
    std::array<double, buckets> reuses_{};  // of all objects
    double first_uses_ = 0;
    double seconds_ = 0;  // that the counts stand for
};

}  // namespace soft

#endif
