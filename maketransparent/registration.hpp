// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tells tmmd the name of the contribution that this process is in, over the system bus.
#pragma once

#include <chrono>
#include <string>

#include "base/result.hpp"

namespace tmm {

// A launch may wait for tmmd for so long: nothing depends on the answer.
inline constexpr std::chrono::milliseconds registration_bound{1000};

// Does not start tmmd. Error: no bus, no tmmd, its refusal, or ETIMEDOUT when bus or tmmd did not answer within the bound.
Result<void> register_contribution(const std::string& name);

}  // namespace tmm
