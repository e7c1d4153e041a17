// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line of tmm-tray(1).
#pragma once

#include <string>

#include "base/result.hpp"

namespace tmm::tray {

struct Options {
    enum class Action { run, pause, resume, quit, help, version };
    Action action = Action::run;
    bool background = false;
    bool window = false;
};

// Parses the command line. argc, argv: as main() gets them. Returns EINVAL with a message for the user if an option is unknown or
// does not fit the others. One thread only: getopt_long keeps global state.
Result<Options> parse_options(int argc, char* const argv[]);

// Returns the text that --help prints.
std::string usage();

}  // namespace tmm::tray
