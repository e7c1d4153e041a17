// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "lru_memory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tmm::days {

LruMemory::LruMemory(const std::vector<std::uint8_t>& is_file, std::uint32_t capacity, double compressed)
    : is_file_(is_file), units_(is_file.size()), capacity_(capacity), limit_(capacity), compressed_(compressed) {}

LruMemory::Touch LruMemory::touch(std::uint32_t unit, std::uint32_t second) {
    Unit& entry = units_[unit];
    entry.last_touch = second;
    if (entry.state == State::resident) {
        if (newest_ != unit) {
            unlink(unit);
            push(unit);
        }
        return {};
    }
    Touch touch{.outcome = Outcome::first, .distance = 0};
    if (entry.state == State::evicted) {
        touch = {.outcome = Outcome::refault, .distance = evictions_ - entry.evicted_at};
        compressed_used_ -= compressed_size(unit);
    }
    entry.state = State::resident;
    push(unit);
    ++resident_;
    shrink();
    return touch;
}

void LruMemory::free(std::uint32_t unit) {
    Unit& entry = units_[unit];
    if (entry.state == State::resident) {
        unlink(unit);
        --resident_;
    } else if (entry.state == State::evicted) {
        compressed_used_ -= compressed_size(unit);
    }
    entry.state = State::absent;
}

void LruMemory::set_limit(std::uint32_t units) {
    limit_ = units;
    shrink();
}

void LruMemory::evict(std::uint32_t units) {
    for (; units > 0 && resident_ > 1; --units)
        evict_oldest();
}

void LruMemory::evict_older(std::uint32_t second) {
    while (resident_ > 1 && units_[oldest_].last_touch < second)
        evict_oldest();
}

std::vector<std::uint32_t> LruMemory::take_evicted() {
    return std::exchange(evicted_, {});
}

std::uint32_t LruMemory::total() const {
    return capacity_ - std::min(capacity_ - 1, static_cast<std::uint32_t>(std::ceil(compressed_used_ - 1e-6)));
}

std::uint32_t LruMemory::limit() const {
    return std::max<std::uint32_t>(std::min(limit_, total()), 1);
}

void LruMemory::shrink() {
    while (resident_ > limit())
        evict_oldest();
}

void LruMemory::evict_oldest() {
    const std::uint32_t unit = oldest_;
    unlink(unit);
    --resident_;
    units_[unit].state = State::evicted;
    units_[unit].evicted_at = evictions_++;
    compressed_used_ += compressed_size(unit);
    evicted_.push_back(unit);
}

void LruMemory::push(std::uint32_t unit) {
    units_[unit].newer = none;
    units_[unit].older = newest_;
    if (newest_ != none)
        units_[newest_].newer = unit;
    newest_ = unit;
    if (oldest_ == none)
        oldest_ = unit;
}

void LruMemory::unlink(std::uint32_t unit) {
    const Unit& entry = units_[unit];
    (entry.newer != none ? units_[entry.newer].older : newest_) = entry.older;
    (entry.older != none ? units_[entry.older].newer : oldest_) = entry.newer;
}

}  // namespace tmm::days
