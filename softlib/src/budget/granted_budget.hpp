// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The rule of coordinated_budget: from what tmmd grants and what the machine allows to the heap's budget. Pure; thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace soft::coordinate {
struct report;
}  // namespace soft::coordinate

namespace soft::detail {

struct GrantedMemory {
    std::size_t bytes = 0;
    /// Valid before.
    std::chrono::steady_clock::time_point until{};
    /// Others need the memory at once.
    bool is_urgent = false;
    /// Of the report that it answers.
    std::uint64_t number = 0;
};

/// What the heap would do by itself.
struct OwnBudget {
    std::size_t bytes = 0;
    /// As budget_rule::gives_way().
    bool gives_way = false;
};

/// Parses a record of tmmd that came at `now`. Returns nothing if it is no grant of this version.
std::optional<GrantedMemory> parse_grant(std::string_view record, std::chrono::steady_clock::time_point now) noexcept;

/// Returns the heap's budget, in bytes. `held_bytes`: the memory that the heap has now.
///
/// A valid grant counts, but never more than the heap's own budget while that gives way to others. Unless it is urgent, it
/// shrinks the heap by at most max_budget_step at a time.
std::size_t granted_budget(const std::optional<GrantedMemory>& grant, const OwnBudget& own, std::size_t held_bytes,
                           std::chrono::steady_clock::time_point now) noexcept;

/// A heap that may have no more than `bytes` gains nothing from more: makes first uses of the report's reuses for which that is
/// too little. So tmmd gives the memory to others.
void bound_reuses(coordinate::report& report, std::size_t bytes) noexcept;

}  // namespace soft::detail
