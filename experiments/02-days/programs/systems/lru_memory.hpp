// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LruMemory: the opaque memory of a machine, in units, as an exact LRU whose size changes. Beyond its size the units used least
// recently are evicted at once, but for those of cgroups that do not exceed their protection, while there are others. Anonymous
// units may be evicted to compressed memory, which takes a share of a unit away from both classes until the unit comes back or is
// freed. Not thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "trace.hpp"

namespace tmm::days {

class LruMemory {
public:
    // is_file, cgroup_of: by unit; they must outlive the object. capacity: units of memory, at least 1. compressed: what an
    // evicted anonymous unit takes, in units, in [0, 1). Without cgroup_of all units are in cgroup 0.
    LruMemory(const std::vector<std::uint8_t>& is_file, std::uint32_t capacity, double compressed,
              const std::vector<std::uint16_t>* cgroup_of = nullptr);

    enum class Outcome : std::uint8_t { hit, first, refault };
    struct Touch {
        Outcome outcome = Outcome::hit;
        std::uint64_t distance = 0;  // of a refault: units evicted since it left
    };
    Touch touch(std::uint32_t unit, std::uint32_t second);
    void free(std::uint32_t unit);

    // At most so many units from now on; at least one stays.
    void set_limit(std::uint32_t units);
    // From now on nobody takes what is beyond the limit, so that units leave only where memory is full.
    void leave_unused() { is_used_ = false; }
    // The kernel takes from a cgroup only what exceeds its protection. units: by cgroup; those beyond have none.
    void protect(const std::vector<std::uint32_t>& units);
    // Evicts that many, but for the last.
    void evict(std::uint32_t units);
    // Evicts what was last touched before second.
    void evict_older(std::uint32_t second);

    // Units evicted since this was asked last, in order.
    std::vector<std::uint32_t> take_evicted();

    [[nodiscard]] bool is_resident(std::uint32_t unit) const { return units_[unit].state == State::resident; }
    [[nodiscard]] std::uint32_t resident() const { return resident_; }
    [[nodiscard]] std::size_t nr_cgroups() const { return cgroups_.size(); }
    [[nodiscard]] std::uint32_t resident_of(std::size_t cgroup) const { return cgroups_[cgroup].resident; }
    [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
    // What both classes can have together: compressed memory is in neither.
    [[nodiscard]] std::uint32_t total() const;
    // What opaque memory may have now.
    [[nodiscard]] std::uint32_t limit() const;
    // Memory that contributions have: all that neither opaque nor compressed memory takes.
    [[nodiscard]] double donated() const { return capacity_ - resident_ - compressed_used_; }

private:
    static constexpr std::uint32_t none = UINT32_MAX;
    enum class State : std::uint8_t { absent, resident, evicted };
    struct Unit {
        std::uint32_t newer = none;
        std::uint32_t older = none;
        std::uint32_t last_touch = 0;
        State state = State::absent;
        std::uint64_t evicted_at = 0;
        std::uint64_t touched_at = 0;  // touches so far
    };
    struct Cgroup {
        std::uint32_t newest = none;
        std::uint32_t oldest = none;
        std::uint32_t resident = 0;
        std::uint32_t protection = 0;
    };

    void push(std::uint32_t unit);
    void unlink(std::uint32_t unit);
    [[nodiscard]] Cgroup& cgroup_of(std::uint32_t unit) { return cgroups_[cgroup_of_ != nullptr ? (*cgroup_of_)[unit] : 0]; }
    // Returns the unit that goes next. Precondition: one is resident.
    [[nodiscard]] std::uint32_t victim() const;
    void evict_oldest();
    void shrink();
    [[nodiscard]] double compressed_size(std::uint32_t unit) const { return is_file_[unit] != 0 ? 0 : compressed_; }

    const std::vector<std::uint8_t>& is_file_;
    const std::vector<std::uint16_t>* cgroup_of_;
    std::vector<Unit> units_;
    std::vector<Cgroup> cgroups_;
    std::uint32_t capacity_;
    std::uint32_t limit_;
    bool is_used_ = true;  // by contributions, what is beyond the limit
    std::uint32_t resident_ = 0;
    double compressed_;
    double compressed_used_ = 0;
    std::uint64_t evictions_ = 0;
    std::uint64_t touches_ = 0;
    std::vector<std::uint32_t> evicted_;
};

}  // namespace tmm::days
