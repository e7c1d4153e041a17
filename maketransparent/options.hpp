// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The command line of maketransparent. Pure but for getopt_long(3)'s own state: not thread-safe.
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
    std::string name;        // empty: made from the command
    std::string cgroup_dir;  // empty: systemd, unless the configuration says otherwise
    bool dry_run = false;
    bool verbose = false;
    char** command = nullptr;          // run: the rest of argv, null-terminated; at least one word
    std::vector<pid_t> pids;           // mark: at least one
    std::vector<std::string> targets;  // release: names and process ids, at least one
};

// Error: EINVAL, says which word is wrong.
Result<Options> parse_options(int argc, char** argv);

// A process id: decimal, 1 to the largest the kernel knows (2^22).
Result<pid_t> parse_pid(std::string_view text);

std::string_view usage();

}  // namespace tmm
