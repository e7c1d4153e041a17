// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks the kernel whom a connection to a port of this machine reaches. One question is one look-up in the kernel's table, however
// many sockets the machine has.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm::boinc {

// Returns the question of sock_diag(7) for the socket that listens for connections to 127.0.0.1 at the port. Pure.
std::string listener_question(std::uint16_t port);

// Returns the user who owns the listener that an answer names. Error: ENOENT if nobody listens or the kernel cannot tell, another
// one of the kernel, or EPROTO for an answer of another kind. Pure.
Result<uid_t> parse_listener(std::string_view answer, std::uint16_t port);

// Returns the user whom a connection to 127.0.0.1 reaches at the port. Error: as above, or of the system calls; the port must not
// be touched then, for anybody may listen there.
Result<uid_t> find_listener(std::uint16_t port);

}  // namespace tmm::boinc
