// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The commands of tmmctl that ask the daemon. All effects besides the client's go through CommandEnvironment, so that tests need
// no terminal, clock or processes. Used from one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "tmmd/ctl/client.hpp"
#include "tmmd/ctl/options.hpp"
#include "tmmd/ctl/processes.hpp"
#include "tmmd/ctl/text/screen.hpp"
#include "tmmd/ctl/views/boinc.hpp"

namespace tmm::ctl {

struct CommandEnvironment {
    std::function<bool(const std::string&)> out;  // prints a text; false: nobody reads any more, which ends top and watch
    std::function<Screen()> screen;               // called for each output, as windows change their size
    std::function<std::uint64_t()> now_us;        // CLOCK_REALTIME
    std::function<void(std::chrono::milliseconds)> sleep;
    std::function<Result<std::vector<Process>>()> processes;
    std::function<std::optional<std::uint32_t>(const std::string&)> user_id;  // of that name; none: nobody has it
    std::function<std::vector<BoincTask>()> boinc_tasks;  // asked if BOINC is a contribution; empty also if it cannot be told
};

// Runs options.command, which must be one that asks the daemon. Returns the exit status. Error: as Client, or of processes().
Result<int> run_command(Client& client, const Options& options, const CommandEnvironment& environment);

}  // namespace tmm::ctl
