// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The report of tmm-replay, see tmm-replay(1). Pure.
#pragma once

#include <string>

#include "tmmd/replay/options.hpp"
#include "tmmd/replay/replay.hpp"

namespace tmm::replay {

// Returns the report in the given form.
std::string format_outcome(const Outcome& outcome, const Parameters& parameters, Form form);

}  // namespace tmm::replay
