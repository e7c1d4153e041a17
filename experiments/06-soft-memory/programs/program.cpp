// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tmm::soft_memory {

namespace {

constexpr double scanned_mib = 64 << 10;

// Of its budget, for objects: a heap of softlib needs some 7 % more than a loop has to hit at all (results/curves.csv).
constexpr double share_for_objects = 0.93;

Bytes scaled(std::uint64_t bytes, double factor) {
    return Bytes(static_cast<std::uint64_t>(static_cast<double>(bytes) * factor));
}

// Sums the weights of marked places in a range of time (Fenwick).
class Marks {
public:
    explicit Marks(std::size_t size) : sums_(size + 1) {}
    void add(std::size_t at, std::int64_t by) {
        for (++at; at < sums_.size(); at += at & -at)
            sums_[at] += by;
    }
    [[nodiscard]] std::int64_t before(std::size_t end) const {
        std::int64_t sum = 0;
        for (; end > 0; end -= end & -end)
            sum += sums_[end];
        return sum;
    }

private:
    std::vector<std::int64_t> sums_;
};

}  // namespace

Uses::Uses(const Work& work, std::uint64_t seed)
    : kind_(work.kind),
      trace_(work.trace),
      nr_units_(trace_ != nullptr
                    ? static_cast<std::uint32_t>(trace_->unit_bytes.size())
                    : static_cast<std::uint32_t>((work.kind == Kind::scan ? scanned_mib : work.mib) * (1 << 20) / unit_bytes)),
      random_(seed) {
    if (kind_ != Kind::zipf)
        return;
    double sum = 0;
    for (std::uint32_t rank = 0; rank < nr_units_; ++rank)
        cumulated_.push_back(sum += std::pow(rank + 1, -work.skew));
    unit_of_rank_.resize(nr_units_);
    std::iota(unit_of_rank_.begin(), unit_of_rank_.end(), 0);
    std::shuffle(unit_of_rank_.begin(), unit_of_rank_.end(), random_);
}

std::uint32_t Uses::next() {
    if (kind_ == Kind::trace)
        return trace_->uses[position_++ % trace_->uses.size()];
    if (kind_ != Kind::zipf)
        return static_cast<std::uint32_t>(++position_ % nr_units_);
    const double at = std::uniform_real_distribution<double>(0, cumulated_.back())(random_);
    const auto rank = std::lower_bound(cumulated_.begin(), cumulated_.end(), at) - cumulated_.begin();
    return unit_of_rank_[static_cast<std::size_t>(std::min<std::ptrdiff_t>(rank, nr_units_ - 1))];
}

std::vector<std::uint32_t> Uses::bytes_of_units() const {
    return kind_ == Kind::trace ? trace_->unit_bytes : std::vector<std::uint32_t>(nr_units_, unit_bytes);
}

Program::Program(std::uint64_t id, const Work& work, std::uint64_t seed)
    : id_(id), work_(work), uses_(work, seed), unit_bytes_(uses_.bytes_of_units()), cache_(unit_bytes_) {}

void Program::resize(Bytes bytes) {
    budget_ = bytes;
    cache_.resize(scaled(bytes.count(), share_for_objects).count());
}

void Program::change(const Work& work, std::uint64_t seed) {
    work_ = work;
    uses_ = Uses(work, seed);
    unit_bytes_ = uses_.bytes_of_units();
    cache_ = LruCache(unit_bytes_);
    resize(budget_);
    ++phase_;
}

void Program::run(double seconds) {
    double left = seconds - behind_s_;
    while (left > 0) {
        const std::uint32_t unit = uses_.next();
        const std::uint64_t key = (id_ << 48) + (phase_ << 32) + unit;
        if (sampler_.watches(key))
            sampler_.used(key, unit_bytes_[unit]);
        left -= work_.use_ms / 1e3;
        if (cache_.use(unit)) {
            ++counts_.hits;
            continue;
        }
        ++counts_.misses;
        left -= work_.rebuild_ms / 1e3;
        counts_.rebuild_s += work_.rebuild_ms / 1e3;
    }
    behind_s_ = -left;
    counts_.wall_s += seconds;
    sampler_.pass(seconds);
}

double Program::take_progress() {
    const double wall = counts_.wall_s - taken_.wall_s;
    const double rebuild = counts_.rebuild_s - taken_.rebuild_s;
    taken_ = counts_;
    return 1 - rebuild / wall;
}

core::SoftHeap Program::report(double claim) const {
    const auto curve = sampler_.estimate();
    core::SoftHeap heap;
    heap.id = id_;
    heap.rebuild_s = claim * work_.rebuild_ms / 1e3;
    heap.footprint = Bytes(curve.footprint_bytes);
    heap.budget = budget_;
    heap.used = scaled(cache_.bytes(), 1 / share_for_objects);
    // Uses per second of other work: each takes as much of it.
    const double uses = std::accumulate(curve.reuses_per_s.begin(), curve.reuses_per_s.end(), curve.first_uses_per_s);
    const double to_other_work = uses > 0 ? 1e3 / work_.use_ms / uses : 0;
    for (std::size_t i = 0; i < core::nr_reuse_buckets; ++i)
        heap.reuses_per_s[i] = curve.reuses_per_s[i] * to_other_work;
    heap.first_uses_per_s = curve.first_uses_per_s * to_other_work;
    return heap;
}

core::SoftHeap exact_heap(const Work& work, std::uint64_t id, std::uint64_t seed, std::size_t uses) {
    Uses all(work, seed);
    const std::vector<std::uint32_t> sizes = all.bytes_of_units();
    if (work.trace != nullptr)
        uses = std::min(uses, work.trace->uses.size() / 2);
    Marks marks(2 * uses);
    std::vector<std::int64_t> last(all.nr_units(), -1);
    core::SoftHeap heap;
    heap.id = id;
    heap.rebuild_s = work.rebuild_ms / 1e3;
    for (std::size_t i = 0; i < 2 * uses; ++i) {
        const std::uint32_t unit = all.next();
        const double rate = i < uses ? 0 : 1e3 / work.use_ms / static_cast<double>(uses);
        if (last[unit] < 0) {
            heap.first_uses_per_s += rate;
        } else {
            const auto since = marks.before(i) - marks.before(static_cast<std::size_t>(last[unit]));
            const Bytes distance = scaled(static_cast<std::uint64_t>(since), 1 / share_for_objects);
            std::size_t bucket = 0;
            while (bucket + 1 < core::nr_reuse_buckets && core::bucket_end(bucket) < distance)
                ++bucket;
            heap.reuses_per_s[bucket] += rate;
            marks.add(static_cast<std::size_t>(last[unit]), -std::int64_t{sizes[unit]});
        }
        marks.add(i, sizes[unit]);
        last[unit] = static_cast<std::int64_t>(i);
    }
    return heap;
}

}  // namespace tmm::soft_memory
