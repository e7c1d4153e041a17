// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Listening sockets: of TCP, of files, and those that systemd passes. All are non-blocking.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "caches/net/session.hpp"

namespace tmm::caches {

struct Listener {
    UniqueFd socket;
    EndpointKind kind = EndpointKind::cache;
    std::string path;  // of a socket that is a file and that this program made
};

// Listens at each address that the name has; port 0: any that is free. Fails if it can listen at none.
Result<std::vector<Listener>> listen_tcp(const std::string& host, std::uint16_t port, int backlog);

// Makes a socket with this mode. Replaces a socket that nobody listens at, and nothing else.
Result<Listener> listen_unix(const std::string& path, mode_t mode, int backlog, EndpointKind kind);

// The sockets that systemd started this process with (sd_listen_fds(3)); those that are named "crsh" speak that protocol.
std::vector<Listener> inherited_listeners();

// The port of a TCP socket; 0 for another one.
std::uint16_t port_of(const Listener& listener);

}  // namespace tmm::caches
