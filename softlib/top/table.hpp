// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <string>

#include "top/snapshot.hpp"

namespace soft::top {

/// Returns the table of softlib-top. Rates are since `before`; they are 0 for processes and pools that it lacks.
std::string table(const Snapshot& now, const Snapshot& before, std::chrono::duration<double> elapsed);

/// Formats a number of bytes: 1536 is "1.5K", 0 is "0".
std::string in_binary_units(std::uint64_t bytes);

}  // namespace soft::top
