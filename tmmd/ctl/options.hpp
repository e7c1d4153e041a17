// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line of tmmctl(1). Pure but for the state of getopt_long(3) and the time zone. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

enum class Command {
    status,
    top,
    watch,
    pause,
    resume,
    stop,
    off,
    on,
    limit,
    doctor,
    history,
    explain,
    soft,
    boinc,
    help,
    version
};

struct Options {
    Command command = Command::status;
    bool json = false;
    bool csv = false;                             // history
    bool quiet = false;                           // status
    std::optional<std::uint32_t> count;           // top: updates; explain: decisions; at least 1
    std::chrono::milliseconds delay{2000};        // top: between two updates
    std::chrono::seconds pause{0};                // 0: until resumed
    std::optional<std::string> contribution;      // pause, resume, stop: only this one; its name or its object
    wire::CapsChange caps;                        // limit
    std::string resolution = "hours";             // history
    std::optional<std::uint64_t> soft_max_bytes;  // soft cap; wire::no_limit: none
    std::optional<std::pair<std::string, std::uint32_t>> soft_weight;  // soft weight: user, by name or number
};

// Parses the command line. now: seconds since 1970, for "until 07:00". Error: EINVAL or ERANGE, with a message for the user.
Result<Options> parse_options(int argc, char* const argv[], std::time_t now);

// Returns the text of --help.
std::string usage();

}  // namespace tmm::ctl
