// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Command line of tmm-tray, tmm-tray(1).
#pragma once

#include <string>

#include "base/result.hpp"

namespace tmm::tray {

struct Options {
    enum class Action { run, quit, help, version };
    Action action = Action::run;
    bool background = false;
    bool window = false;
};

// Error: EINVAL with a message for the user. Not reentrant (getopt_long).
Result<Options> parse_options(int argc, char* const argv[]);

// What --help prints.
std::string usage();

}  // namespace tmm::tray
