// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The process of a client, and whether the kernel has frozen it. A frozen client is there, but answers nothing.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/root_dir.hpp"

namespace tmm::boinc {

// Returns the client that works in the data directory: it locks a file there. Nothing: no client, or one that may share the
// directory with others and so locks nothing.
std::optional<pid_t> find_client(const RootDir& data);

// Returns the cgroup (v2) in the text of /proc/PID/cgroup, such as "/system.slice/boinc-client.service". Pure.
std::optional<std::string> parse_cgroup(std::string_view text);

// Returns whether the kernel has stopped all processes of the process's cgroup, whoever asked for it. root: "/".
bool is_frozen(const RootDir& root, pid_t pid);

}  // namespace tmm::boinc
