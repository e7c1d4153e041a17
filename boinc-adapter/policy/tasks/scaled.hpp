// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace tmm::boinc {

// Returns the bytes times the factor, rounded down.
inline std::uint64_t scaled(std::uint64_t bytes, double factor) {
    return static_cast<std::uint64_t>(static_cast<double>(bytes) * factor);
}

}  // namespace tmm::boinc
