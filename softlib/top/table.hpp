// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <string>

#include "top/snapshot.hpp"

namespace soft::top {

/// The table that softlib-top shows: rates are of the time since `before`, or, for processes and pools that were not there then,
/// 0.
std::string table(const Snapshot& now, const Snapshot& before, std::chrono::duration<double> elapsed);

/// 1536 is "1.5K", 0 is "0".
std::string in_binary_units(std::uint64_t bytes);

}  // namespace soft::top
