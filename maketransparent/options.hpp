// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line of maketransparent(1). Uses the state of getopt_long(3), so parse_options() is not thread-safe; it has no
// other effect.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tmm {

enum class Action { run, mark, list, release, help, version };
enum class Manager { automatic, user, system };

struct Options {
    Action action = Action::run;
    Manager manager = Manager::automatic;
    std::string name;        // empty: from the command or the first process
    std::string cgroup_dir;  // empty: from the configuration, else systemd
    bool dry_run = false;
    bool verbose = false;
    char** command = nullptr;          // run: the rest of argv, null-terminated; at least one word
    std::vector<pid_t> pids;           // mark: at least one
    std::vector<std::string> targets;  // release: names and process ids, at least one
};

// Parses the command line. --help and --version win over everything else.
// Error: EINVAL; the text names the wrong word.
Result<Options> parse_options(int argc, char** argv);

// Parses a process id: decimal, 1 to 2^22, the largest that the kernel assigns. Pure. Error: EINVAL.
Result<pid_t> parse_pid(std::string_view text);

// The text of --help.
std::string_view usage();

}  // namespace tmm
