// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the BOINC clients that run on this machine, whoever their users are. It reads only what every user may read. Parsers are
// pure; readers take the root directory.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/root_dir.hpp"

namespace tmm::boinc {

struct RunningClient {
    pid_t pid = 0;
    uid_t uid = 0;
    std::string data_dir;  // absolute, as its command line or its working directory tells; empty: not known
    std::uint16_t port = 31416;
    bool at_port = true;  // else at a Unix socket
};

// Any program may take a client's name. Users have equal parts of this bound.
constexpr std::size_t max_running_clients = 16;

// Takes the text of /proc/PID/cmdline. Words that no client knows are left out.
RunningClient parse_client_arguments(std::string_view arguments);

// Returns the clients by their process id, at most max_running_clients. root: "/".
std::vector<RunningClient> find_running_clients(const RootDir& root);

// Returns the port that the command line of a client's process names, or else BOINC's usual one. client: nothing if none runs.
std::uint16_t find_port(const RootDir& root, std::optional<pid_t> client);

}  // namespace tmm::boinc
