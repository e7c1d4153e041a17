// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/detail/reuse_watch.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>

#include "coordinate/records.hpp"
#include "src/base/spin_lock.hpp"
#include "src/reuse/counted_time.hpp"
#include "src/reuse/reuse_sampler.hpp"

namespace soft::detail {
namespace {

// A use of a watched key takes up to three quarters of a microsecond. After so many between two reports only half of the keys are
// watched: what is read so often is small, and the rest tells enough.
constexpr std::uint32_t max_uses = 4'000;
constexpr std::size_t min_watched = 16;
// Time for other work is at least this share: several threads may rebuild for longer than the time that passed.
constexpr double min_other_work = 1.0 / 8;
// More than the receiver takes for sane.
constexpr double max_rate = 1e12;
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 50;
constexpr double max_rebuild_ns = 3600e9;

// The latest miss of a thread.
struct Miss {
    const ReuseWatch* watch = nullptr;
    std::uint64_t hash = 0;
    std::chrono::steady_clock::time_point at{};
    std::chrono::nanoseconds counted{0};
};
thread_local Miss latest_miss;

float rate_of(double per_s) {
    return static_cast<float>(std::min(per_s, max_rate));
}

}  // namespace

struct ReuseWatch::State {
    SpinLock lock;
    reuse_sampler sampler;
    bool is_on = false;
    std::uint32_t uses = 0;  // of watched keys, since the last report or since fewer are watched
    double rebuild_ns = 0;
    double rebuilds = 0;
    // The same of earlier reports, aged.
    double aged_rebuild_ns = 0;
    double aged_rebuilds = 0;
    double aged_other_work_s = 0;
};

ReuseWatch::ReuseWatch() : state_(std::make_unique<State>()) {}
ReuseWatch::~ReuseWatch() = default;

void ReuseWatch::lock() noexcept {
    state_->lock.lock();
}
void ReuseWatch::unlock() noexcept {
    state_->lock.unlock();
}

void ReuseWatch::used(std::uint64_t hash, std::size_t bytes) noexcept {
    const std::lock_guard guard(state_->lock);
    if (!state_->is_on) {
        return;
    }
    try {
        state_->sampler.used(hash, bytes);
    } catch (const std::bad_alloc&) {
        // One use less.
    }
    if (++state_->uses > max_uses) {
        state_->uses = 0;
        state_->sampler.watch_at_most(std::max(state_->sampler.watched_keys() / 2, min_watched));
    }
    follow_limit();
}

void ReuseWatch::follow_limit() noexcept {
    // Readers want its cache line.
    if (below_.load(std::memory_order_relaxed) != state_->sampler.limit()) {
        below_.store(state_->sampler.limit(), std::memory_order_relaxed);
    }
}

void ReuseWatch::missed(std::uint64_t hash) noexcept {
    latest_miss = {this, hash, std::chrono::steady_clock::now(), counted_time()};
}

void ReuseWatch::put(std::uint64_t hash, std::size_t bytes) noexcept {
    if (latest_miss.watch == this && latest_miss.hash == hash) {
        const auto took = count_rest(std::chrono::steady_clock::now() - latest_miss.at, latest_miss.counted);
        latest_miss = {};
        const std::lock_guard guard(state_->lock);
        // It stands for the misses of keys that are not watched.
        const double values = state_->sampler.objects_per_watched();
        state_->rebuild_ns += values * static_cast<double>(took.count());
        state_->rebuilds += values;
    }
    used(hash, bytes);
}

void ReuseWatch::put(std::uint64_t hash, std::size_t bytes, std::chrono::nanoseconds took) noexcept {
    took = std::max(took, std::chrono::nanoseconds(0));
    counted_time() += took;
    rebuilt(took);
    if (latest_miss.watch == this && latest_miss.hash == hash) {
        latest_miss = {};
    }
    if (watches(hash)) {
        used(hash, bytes);
    }
}

void ReuseWatch::rebuilt(std::chrono::nanoseconds took) noexcept {
    if (below_.load(std::memory_order_relaxed) == 0) {
        return;
    }
    const std::lock_guard guard(state_->lock);
    state_->rebuild_ns += static_cast<double>(took.count());
    ++state_->rebuilds;
}

void ReuseWatch::begin() noexcept {
    end();
    const std::lock_guard guard(state_->lock);
    state_->is_on = true;
    below_.store(state_->sampler.limit(), std::memory_order_relaxed);
}

void ReuseWatch::end() noexcept {
    const std::lock_guard guard(state_->lock);
    below_.store(0, std::memory_order_relaxed);
    state_->is_on = false;
    state_->sampler = {};
    state_->uses = 0;
    state_->rebuild_ns = state_->rebuilds = 0;
    state_->aged_rebuild_ns = state_->aged_rebuilds = state_->aged_other_work_s = 0;
}

void ReuseWatch::fill(coordinate::report& report, std::chrono::nanoseconds elapsed) noexcept {
    const std::lock_guard guard(state_->lock);
    State& state = *state_;
    const double seconds = std::chrono::duration<double>(elapsed).count();
    if (!state.is_on || seconds <= 0) {
        return;
    }
    const double kept = std::exp2(-seconds / reuse_sampler::half_life_s);
    const double other_work_s = std::max(seconds - state.rebuild_ns / 1e9, min_other_work * seconds);
    state.aged_rebuild_ns = kept * (state.aged_rebuild_ns + state.rebuild_ns);
    state.aged_rebuilds = kept * (state.aged_rebuilds + state.rebuilds);
    state.aged_other_work_s = kept * (state.aged_other_work_s + other_work_s);
    state.sampler.pass(seconds, other_work_s);
    follow_limit();
    state.uses = 0;
    state.rebuild_ns = state.rebuilds = 0;

    const reuse_sampler::curve curve = state.sampler.estimate();
    std::transform(curve.reuses_per_s.begin(), curve.reuses_per_s.end(), report.reuses_per_s, rate_of);
    report.first_uses_per_s = rate_of(curve.first_uses_per_s);
    report.misses_per_s = rate_of(state.aged_rebuilds / state.aged_other_work_s);
    report.footprint_bytes = std::min(curve.footprint_bytes, max_bytes);
    const double each_ns = state.aged_rebuilds > 0 ? state.aged_rebuild_ns / state.aged_rebuilds : 0;
    report.rebuild_ns = static_cast<std::uint64_t>(std::min(each_ns, max_rebuild_ns));
}

}  // namespace soft::detail
