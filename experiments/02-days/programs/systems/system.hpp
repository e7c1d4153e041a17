// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// System: whatever decides how much memory the owner's programs may keep. It is told of every touch and asked once a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lru_memory.hpp"
#include "store.hpp"

namespace tmm::days {

// What a second showed.
struct Second {
    std::uint32_t second = 0;
    double waited = 0;     // seconds that opaque programs waited in it, above 1 if they could not have kept the pace
    double activity = 0;   // processors in use
    bool attended = true;  // the owner is there
    std::vector<std::uint32_t> evicted;
};

// Which rule set the limit. The others are TMM's; see docs/policy.md.
enum class Rule : std::uint8_t { none, learning, corrected, minimum, need };
inline constexpr std::size_t nr_rules = 5;

class System {
public:
    virtual ~System() = default;
    virtual void touched(std::uint32_t /*unit*/, const LruMemory::Touch& /*touch*/) {}
    virtual void freed(std::uint32_t /*unit*/) {}
    // At the end of a second.
    virtual void tick(const Second& second, LruMemory& memory) = 0;
    [[nodiscard]] virtual Rule rule() const { return Rule::none; }
};

// is_file, cgroup_of: by unit, must outlive the system; may be needed to tell stores apart, and cgroups.
struct Machine {
    const std::vector<std::uint8_t>* is_file = nullptr;
    const std::vector<std::uint16_t>* cgroup_of = nullptr;  // none: all in cgroup 0
    std::uint32_t capacity = 0;                             // units
    std::uint64_t unit_bytes = 0;
    Store store;
    bool contributions = true;  // they take all that opaque memory may not have
};

// All that make_system() knows.
const std::vector<std::string>& system_names();

// break_even: of TMM with the reuse objective; none: as shipped. Nothing for an unknown name.
std::unique_ptr<System> make_system(std::string_view name, const Machine& machine,
                                    std::optional<std::chrono::nanoseconds> break_even = {});

}  // namespace tmm::days
