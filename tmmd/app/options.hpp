// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options: the command line of tmmd, tmmd(8).
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace tmm::app {

struct Options {
    enum class Action { run, check_config, print_sources, release, help, version };
    Action action = Action::run;
    std::string config_path;  // empty: the default, which may be missing
    std::string timeline_path;
    std::string record_path;
    std::string state_path;       // empty: the default
    std::string root = "/";       // the kernel's files are below it
    std::string bus;              // "system", "session" or an address; empty: none
    std::string source;           // the id of the only source to use; empty: the best
    std::int64_t time_lapse = 1;  // the factor of TimeLapse
    bool dry_run = false;
    bool verbose = false;
};

// The file of the learned state, for the next run.
inline constexpr const char* default_state_path = "/var/lib/tmm/histogram";

// Parses the command line. Error: EINVAL with a message for the user. Not reentrant (getopt_long).
Result<Options> parse_options(int argc, char* const argv[]);

// Returns the text of --help.
std::string usage();

}  // namespace tmm::app
