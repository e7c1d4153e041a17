// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Command line of tmmd, tmmd(8).
#pragma once

#include <string>

#include "base/result.hpp"

namespace tmm::app {

struct Options {
    enum class Action { run, check_config, release, help, version };
    Action action = Action::run;
    std::string config_path;  // empty: the default, which may be missing
    std::string timeline_path;
    std::string record_path;
    std::string state_path;  // empty: the default
    std::string root = "/";  // below which the kernel's files are
    std::string bus;         // "system", "session" or an address; empty: none
    bool dry_run = false;
    bool verbose = false;
};

// What was learned, for the next run.
inline constexpr const char* default_state_path = "/var/lib/tmm/histogram";

// Error: EINVAL with a message for the user. Not reentrant (getopt_long).
Result<Options> parse_options(int argc, char* const argv[]);

// What --help prints.
std::string usage();

}  // namespace tmm::app
