// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TimePoint: the time that rules of far memory take as an argument. The pager reads it from the monotonic clock; tests and the
// simulator make it up.
#pragma once

#include <chrono>

namespace tmm::far {

using TimePoint = std::chrono::steady_clock::time_point;
using std::chrono::nanoseconds;

}  // namespace tmm::far
