// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options: the command line of tmm-replay, see tmm-replay(1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "tmmd/core/policy/policy.hpp"

namespace tmm::replay {

enum class Form { text, json, csv };

struct Options {
    enum class Action { run, help, version };
    Action action = Action::run;
    std::uint64_t epoch_us = 1'000'000;
    std::optional<std::uint32_t> sample_shift;  // none: at most default_samples samples
    std::optional<core::Pages> memory;          // none: the pages of the trace
    core::Objective objective = core::Objective::reuse;
    std::uint64_t record_time_us = 1;  // time between two lines of lackey's text
    bool exact = false;
    bool progress = false;
    Form form = Form::text;
    std::string file;  // "-": standard input
};

// Parses the command line. Error: EINVAL with a message for the user. Not reentrant (getopt_long).
Result<Options> parse_options(int argc, char* const argv[]);

// Returns the text of --help.
std::string usage();

}  // namespace tmm::replay
