// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string_view>

#include "softlib/budget.hpp"

namespace soft::detail {

/// From the texts of /proc/meminfo, /proc/vmstat and /proc/pressure/memory. Nothing if the first does not say how much memory
/// there is and is free; what the others lack is 0.
std::optional<MemoryReading> parse_memory(std::string_view meminfo, std::string_view vmstat, std::string_view pressure);

}  // namespace soft::detail
