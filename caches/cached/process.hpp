// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the command line asks of the process itself: to be a daemon, to have another user, limits, and files with its number and
// ports. Called by main before there are threads.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "caches/cached/service/settings.hpp"
#include "caches/net/listener.hpp"

namespace tmm::caches {

// Goes on in a child of init, without a terminal.
Result<void> become_daemon();

// Becomes the user, if this is root. Root needs to name one, as with memcached.
Result<void> drop_privileges(const std::string& user);

// Raises the limits on descriptors and cores, and locks memory.
Result<void> set_limits(const Settings& settings);

Result<void> write_pid_file(const std::string& path);

// Writes lines of "TCP INET: port" for tests that let the server choose ports.
Result<void> write_port_file(const std::string& path, const std::vector<Listener>& listeners);

// A descriptor that is readable once SIGINT, SIGTERM, SIGUSR1 or SIGHUP has come.
Result<UniqueFd> take_signals();

}  // namespace tmm::caches
