// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "softlib/pool_statistics.hpp"
#include "src/counters/board.hpp"

namespace soft::detail {

/// The statistics of a pool in this process or, from a copy of its board, in another one.
pool_statistics statistics_of(const Slot::OfPool& counters);

}  // namespace soft::detail
