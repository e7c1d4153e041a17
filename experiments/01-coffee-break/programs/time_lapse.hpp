// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A time-lapse: tmmd lives through `factor` seconds in each second of the experiment, because its configuration divides all
// times. Then hours of use fit into minutes. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm::coffee {

// Returns a configuration for tmmd. shipped: tmmd.conf as it is shipped, with the defaults as comments ("#Key=value"). Times are
// divided by factor, counts a second and shares of a processor for scans multiplied; other keys keep their defaults. A value
// outside of its key's range becomes the nearest bound, and a comment says so. factor: at least 1. Error: a default cannot be
// read.
Result<std::string> time_lapse_conf(std::string_view shipped, double factor);

}  // namespace tmm::coffee
