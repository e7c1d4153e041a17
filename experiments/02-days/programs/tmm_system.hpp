// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TMM as shipped: tmmd/core driven as app/epoch_stepper drives it, with a look a second, in place of a kernel. Nothing else of
// this experiment includes tmmd/core.
#pragma once

#include <cstdint>
#include <memory>

#include "system.hpp"

namespace tmm::days {

enum class TmmObjective : std::uint8_t { reuse, paper };

std::unique_ptr<System> make_tmm(TmmObjective objective, const Machine& machine);

}  // namespace tmm::days
