// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TMM as shipped: core::Tick, stepped once a second as tmmd steps it, on a simulated machine instead of a kernel. Nothing else of
// this experiment includes tmmd/core.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "samples.hpp"
#include "system.hpp"
#include "tmmd/core/tick/reading.hpp"
#include "tmmd/core/tick/wanted.hpp"

namespace tmm::days {

enum class TmmObjective : std::uint8_t { reuse, paper };

// people: whether the daemon sees people at the machine. Otherwise the use of the machine stands in.
enum class People : std::uint8_t { seen, unseen };

// Called after each step.
using WatchSteps = std::function<void(const core::Reading&, const core::Wanted&)>;

// source: what tells tmmd of the use of memory. break_even: none: as shipped.
std::unique_ptr<System> make_tmm(TmmObjective objective, People people, const Machine& machine, WatchSteps watch = {},
                                 SourceKind source = SourceKind::exact, std::optional<std::chrono::nanoseconds> break_even = {});

}  // namespace tmm::days
