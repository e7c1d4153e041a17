// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tells of a process at a socket: the user for whom it counts, and its memory. Called from one thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "base/quantity.hpp"
#include "base/root_dir.hpp"

namespace tmm::os {

// Returns the path in the line "0::/path" of /proc/PID/cgroup; empty if there is none. Pure.
std::string_view path_in(std::string_view text);

// Returns the user of the session that a cgroup, as path_in() returns it, belongs to: 1000 for all below
// "/user.slice/user-1000.slice". Nothing: it belongs to none. Pure.
std::optional<uid_t> session_user(std::string_view cgroup);

// Returns the user of the process's session, since a user has the numbers of /etc/subuid beside their own; `user` if it belongs
// to none. user: as of SO_PEERCRED. Nothing: it has ended, or runs as another user by now, so that nobody knows.
std::optional<uid_t> user_of_peer(const RootDir& root, pid_t process, uid_t user);

// Returns the process's resident memory; 0 once it has ended.
Bytes memory_of_peer(const RootDir& root, pid_t process);

}  // namespace tmm::os
