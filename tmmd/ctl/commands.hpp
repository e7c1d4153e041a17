// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The commands of tmmctl that ask the daemon. What they print goes to out, called for each piece as it comes; false ends top and
// watch (nobody reads any more). Reads the clock, and waits between two looks of top.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "tmmd/ctl/client.hpp"
#include "tmmd/ctl/options.hpp"
#include "tmmd/ctl/processes.hpp"
#include "tmmd/ctl/screen.hpp"

namespace tmm::ctl {

struct CommandEnvironment {
    std::function<bool(const std::string&)> out;
    std::function<Screen()> screen;  // asked each time: windows change their size
    std::function<std::uint64_t()> now_us;
    std::function<void(std::chrono::milliseconds)> sleep;
    std::function<Result<std::vector<Process>>()> processes;
};

// Returns the exit status.
Result<int> run_command(Client& client, const Options& options, const CommandEnvironment& environment);

}  // namespace tmm::ctl
