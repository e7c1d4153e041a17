// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Session: speaks a protocol on one connection. It gets the bytes that have come and writes replies; the connection owns the
// socket, the buffers and all bounds.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "caches/net/output.hpp"

namespace tmm::caches {

// Progress: where a session stands after it has handled the start of its input.
struct Progress {
    std::size_t used = 0;             // bytes of the input that are done with
    std::uint64_t swallow_bytes = 0;  // bytes behind those to drop unread
    std::size_t wanted = 0;           // with fewer bytes of input than this, another call finds nothing new
    bool again = false;               // the turn ended before the input did
    bool closes = false;              // send the replies, then end the connection
};

// Turn: how much a session may do before others have theirs.
struct Turn {
    std::size_t max_requests;
    std::size_t max_output_bytes;  // handle no further request when the output has more
};

class Session {
public:
    virtual ~Session() = default;
    // Handles requests at the start of the input. Called by one thread at a time.
    virtual Progress handle(std::string_view input, Output& output, const Turn& turn) = 0;
};

// Kind of a socket that the server listens at.
enum class EndpointKind : std::uint8_t {
    cache,  // all protocols in which the client speaks first
    crsh,   // ccache's storage helpers
};

// Peer: the other end of a connection.
struct Peer {
    EndpointKind endpoint = EndpointKind::cache;
    std::string user;     // for bounds: "uid 1000", or the address of another machine
    std::string address;  // for people
    std::string listen_address;
    bool is_local_socket = false;
    std::uint64_t number = 0;  // of the connection
    int worker = 0;
};

using SessionFactory = std::function<std::unique_ptr<Session>(const Peer& peer, Output& greeting)>;

}  // namespace tmm::caches
