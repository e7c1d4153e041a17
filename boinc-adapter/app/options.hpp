// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options: the command line of tmm-boinc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace tmm::boinc {

struct Options {
    enum class Action { run, release, restore, help, version };
    Action action = Action::run;
    std::string data_dir = "/var/lib/boinc-client";  // of the client
    std::string state_dir = "/var/lib/tmm-boinc";    // of the adapter
    std::string socket;                              // the client's Unix socket; empty: TCP
    std::optional<std::uint16_t> port;               // on this machine; none: as the client's command line tells
    std::string bus;                                 // an address; empty: the system bus
    bool dry_run = false;
    bool verbose = false;
};

// Parses the command line. Error: EINVAL with a message for the user. Not reentrant (getopt_long).
Result<Options> parse_options(int argc, char* const argv[]);

// Returns the text of --help.
std::string usage();

}  // namespace tmm::boinc
