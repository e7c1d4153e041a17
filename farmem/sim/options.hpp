// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options of tmm-far-replay as values. Pure, but for the recordings that it reads.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "farmem/sim/simulator.hpp"

namespace tmm::far {

struct ReplayOptions {
    Link link;
    Rules rules;
    nanoseconds warm_up = std::chrono::seconds(1);
    nanoseconds duration = std::chrono::seconds(1);
    bool csv = false;
    bool help = false;
    std::vector<std::pair<ProgramSpec, Behaviour>> programs;
};

extern const std::string_view replay_usage;

// Error: EINVAL with the argument, or that of a recording that cannot be read.
Result<ReplayOptions> parse_replay_options(const std::vector<std::string>& arguments);

// Returns a table with a row for each program.
std::string table_of(const SimOutcome& outcome, bool csv);

}  // namespace tmm::far
