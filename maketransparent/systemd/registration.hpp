// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Registers the contribution of this process with tmmd over the system bus, under its name.
#pragma once

#include <chrono>
#include <string>

#include "base/result.hpp"

namespace tmm {

// The longest time that a launch waits for tmmd. It is short, because nothing depends on the answer.
inline constexpr std::chrono::milliseconds registration_timeout{1000};

// Registers this process. Blocks for at most registration_timeout; does not start tmmd.
// name: a valid name. Errors: no bus, no tmmd, its refusal, or ETIMEDOUT if bus or tmmd did not answer in time.
Result<void> register_contribution(const std::string& name);

}  // namespace tmm
