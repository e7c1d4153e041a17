// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "lru_memory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tmm::days {

LruMemory::LruMemory(const std::vector<std::uint8_t>& is_file, std::uint32_t capacity, double compressed,
                     const std::vector<std::uint16_t>* cgroup_of)
    : is_file_(is_file),
      cgroup_of_(cgroup_of),
      units_(is_file.size()),
      capacity_(capacity),
      limit_(capacity),
      compressed_(compressed) {
    const bool has_cgroups = cgroup_of != nullptr && !cgroup_of->empty();
    cgroups_.resize(has_cgroups ? *std::max_element(cgroup_of->begin(), cgroup_of->end()) + std::size_t{1} : 1);
}

LruMemory::Touch LruMemory::touch(std::uint32_t unit, std::uint32_t second) {
    Unit& entry = units_[unit];
    entry.last_touch = second;
    entry.touched_at = ++touches_;
    if (entry.state == State::resident) {
        if (cgroup_of(unit).newest != unit) {
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
    shrink();
    return touch;
}

void LruMemory::free(std::uint32_t unit) {
    Unit& entry = units_[unit];
    if (entry.state == State::resident) {
        unlink(unit);
    } else if (entry.state == State::evicted) {
        compressed_used_ -= compressed_size(unit);
    }
    entry.state = State::absent;
}

void LruMemory::set_limit(std::uint32_t units) {
    limit_ = units;
    shrink();
}

void LruMemory::protect(const std::vector<std::uint32_t>& units) {
    for (std::size_t i = 0; i < cgroups_.size(); ++i)
        cgroups_[i].protection = i < units.size() ? units[i] : 0;
}

void LruMemory::evict(std::uint32_t units) {
    for (; units > 0 && resident_ > 1; --units)
        evict_oldest();
}

void LruMemory::evict_older(std::uint32_t second) {
    while (resident_ > 1 && units_[victim()].last_touch < second)
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
    while (resident_ > (is_used_ ? limit() : total()))
        evict_oldest();
}

std::uint32_t LruMemory::victim() const {
    std::uint32_t oldest = none;
    bool is_protected = true;
    for (const Cgroup& cgroup : cgroups_) {
        if (cgroup.oldest == none)
            continue;
        const bool within = cgroup.resident <= cgroup.protection;
        const bool older = oldest == none || units_[cgroup.oldest].touched_at < units_[oldest].touched_at;
        if (within == is_protected ? older : is_protected) {
            oldest = cgroup.oldest;
            is_protected = within;
        }
    }
    return oldest;
}

void LruMemory::evict_oldest() {
    const std::uint32_t unit = victim();
    unlink(unit);
    units_[unit].state = State::evicted;
    units_[unit].evicted_at = evictions_++;
    compressed_used_ += compressed_size(unit);
    evicted_.push_back(unit);
}

void LruMemory::push(std::uint32_t unit) {
    Cgroup& cgroup = cgroup_of(unit);
    units_[unit].newer = none;
    units_[unit].older = cgroup.newest;
    if (cgroup.newest != none)
        units_[cgroup.newest].newer = unit;
    cgroup.newest = unit;
    if (cgroup.oldest == none)
        cgroup.oldest = unit;
    ++cgroup.resident;
    ++resident_;
}

void LruMemory::unlink(std::uint32_t unit) {
    Cgroup& cgroup = cgroup_of(unit);
    const Unit& entry = units_[unit];
    (entry.newer != none ? units_[entry.newer].older : cgroup.newest) = entry.older;
    (entry.older != none ? units_[entry.older].newer : cgroup.oldest) = entry.newer;
    --cgroup.resident;
    --resident_;
}

}  // namespace tmm::days
