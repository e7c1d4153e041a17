// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sizes in bytes, for tests.
#pragma once

#include <cstdint>

namespace tmm::boinc {

inline constexpr std::uint64_t mib = 1U << 20;
inline constexpr std::uint64_t gib = 1U << 30;

}  // namespace tmm::boinc
