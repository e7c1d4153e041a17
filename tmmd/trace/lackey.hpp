// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The text of "valgrind --tool=lackey --trace-mem=yes": "I  ADDRESS,SIZE" instruction fetch, " L" load, " S" store, " M" modify;
// address hexadecimal, size decimal, in bytes. Lines of valgrind itself start with "==" or "--". Pure functions, thread-safe.
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

// Whether a text that starts with this line can be lackey's.
bool looks_like_lackey(std::string_view line);

// Without line end. Nothing for a line of valgrind itself. Error: EINVAL, what is wrong.
Result<std::optional<LackeyAccess>> parse_lackey(std::string_view line);

}  // namespace tmm::trace
