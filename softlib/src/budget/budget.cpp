// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/budget.hpp"

#include <unistd.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "src/base/proc_text.hpp"
#include "src/budget/memory_reading.hpp"
#include "src/budget/pressure_watch.hpp"

namespace soft {
namespace {

constexpr unsigned polls_per_zone_reading = 60;

[[noreturn]] void refuse(const char* option, double value, const char* wanted) {
    throw std::invalid_argument("softlib: budget_rule_options::" + std::string(option) + " is " + std::to_string(value) +
                                "; it must be " + wanted);
}

// Also refuses NaN.
void check_share(const char* option, double value) {
    if (!(value >= 0 && value <= 1)) {
        refuse(option, value, "a share, from 0 to 1");
    }
}

}  // namespace

budget_rule::budget_rule(const budget_rule_options& options) : options_(options) {
    check_share("reserve", options.reserve);
    check_share("growth", options.growth);
    check_share("retreat", options.retreat);
    check_share("stalled_share", options.stalled_share);
    if (!(options.refaults_per_s >= 0)) {
        refuse("refaults_per_s", options.refaults_per_s, "0 or more");
    }
}

bool budget_rule::others_miss_memory(const memory_reading& reading, std::chrono::steady_clock::time_point now) const {
    const double seconds = std::chrono::duration<double>(now - last_->at).count();
    if (seconds <= 0) {
        return false;
    }
    // Counters went back if a container was moved: they are another machine's.
    const std::uint64_t reclaimed = reading.reclaimed - std::min(reading.reclaimed, last_->reading.reclaimed);
    const std::uint64_t refaults = reading.refaults - std::min(reading.refaults, last_->reading.refaults);
    const std::chrono::duration<double> stalled = reading.stalled - std::min(reading.stalled, last_->reading.stalled);
    const double min_pages = options_.refaults_per_s * seconds;
    return static_cast<double>(reclaimed) > min_pages &&
           (static_cast<double>(refaults) > min_pages || stalled.count() > options_.stalled_share * seconds);
}

std::size_t budget_rule::reserve_of(const memory_reading& reading) const {
    return reading.kept_bytes + static_cast<std::size_t>(options_.reserve * static_cast<double>(reading.total_bytes));
}

bool budget_rule::is_close_to_reserve(const memory_reading& reading) const {
    return reading.free_bytes / 4 < reserve_of(reading);
}

std::size_t budget_rule::step(const memory_reading& reading, std::size_t held_bytes, std::chrono::steady_clock::time_point now) {
    const std::size_t reserve = reserve_of(reading);
    const bool missed = last_ && (reading.was_told || others_miss_memory(reading, now));
    if (!last_) {
        budget_ = held_bytes;
    }
    last_ = {reading, now};
    if (missed) {
        missed_at_ = now;
        budget_ = std::min(budget_, held_bytes - static_cast<std::size_t>(options_.retreat * static_cast<double>(held_bytes)));
    }
    const bool calm = !missed_at_ || now - *missed_at_ >= options_.calm;
    gives_way_ = !calm || reading.free_bytes < reserve;
    if (reading.free_bytes < reserve) {
        budget_ = std::min(budget_, held_bytes - std::min(held_bytes, reserve - reading.free_bytes));
        return budget_;
    }
    const std::size_t beyond = reading.free_bytes - reserve;
    if (calm && beyond > reserve / 2) {
        budget_ = std::max(budget_, held_bytes + static_cast<std::size_t>(options_.growth * static_cast<double>(beyond)));
    }
    // A budget that is not held yet cannot exceed the free memory.
    budget_ = std::min(budget_, held_bytes + beyond);
    return budget_;
}

machine_budget::machine_budget(const budget_rule_options& options, std::string root)
    : rule_(options),
      root_(std::move(root)),
      pressure_(std::make_unique<detail::PressureWatch>(detail::PressureWatch::of_environment())) {}

machine_budget::~machine_budget() = default;

void machine_budget::forked() noexcept {
    pressure_->forked();
}

std::size_t machine_budget::budget_bytes(std::size_t held_bytes) noexcept {
    try {
        const std::string proc = root_ + "/proc/";
        auto reading = detail::parse_memory(detail::read_proc(proc + "meminfo"), detail::read_proc(proc + "vmstat"),
                                            detail::read_proc(proc + "pressure/memory"));
        if (!reading) {
            // Perhaps the process has no descriptor left.
            return budget_;
        }
        // zoneinfo seldom changes, and is long where there are many processors.
        if (asked_++ % polls_per_zone_reading == 0) {
            kept_bytes_ =
                detail::parse_kept_pages(detail::read_proc(proc + "zoneinfo")) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        }
        reading->kept_bytes = kept_bytes_;
        reading->was_told = pressure_->was_told();
        close_to_reserve_ = rule_.is_close_to_reserve(*reading);
        budget_ = rule_.step(*reading, held_bytes, std::chrono::steady_clock::now());
    } catch (const std::bad_alloc&) {
        // The next reading may succeed.
    }
    return budget_;
}

}  // namespace soft
