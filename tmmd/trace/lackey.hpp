// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parses the text of "valgrind --tool=lackey --trace-mem=yes". Its lines are "I  ADDRESS,SIZE" for an instruction fetch, " L" for
// a load, " S" for a store and " M" for a modify. The address is hexadecimal, the size decimal, in bytes. Lines of valgrind
// itself start with "==" or "--". Pure functions, thread-safe.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::trace {

// The pages of 4 KiB that an access touches.
struct LackeyAccess {
    core::PageKey first_page = 0;
    core::PageKey last_page = 0;
};

// Returns whether a text that starts with this line can be lackey's.
bool looks_like_lackey(std::string_view line);

// Parses a line without its line end. Returns none for a line of valgrind itself. Error: EINVAL with the problem.
Result<std::optional<LackeyAccess>> parse_lackey(std::string_view line);

}  // namespace tmm::trace
