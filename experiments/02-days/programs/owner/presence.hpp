// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// When an owner is at the machine. Pure; deterministic.
#pragma once

#include <cstdint>

#include "pattern.hpp"
#include "trace.hpp"

namespace tmm::days {

// Fills in trace.attended and trace.returns, for trace.seconds.
void add_presence(const Owner& owner, std::uint64_t seed, Trace& trace);

}  // namespace tmm::days
