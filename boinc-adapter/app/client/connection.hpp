// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Connection: moves the bytes of a Session over a socket that never blocks. Used from one thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "boinc-adapter/rpc/session.hpp"

namespace tmm::boinc {

class Connection {
public:
    // path: of the client's Unix socket; empty: a port on this machine. session must outlive it.
    Connection(Session& session, std::string path) : session_(session), path_(std::move(path)) {}

    // Begins to connect, to the Unix socket or else to the port. Error: the client does not run, as far as can be told at once.
    Result<void> open(std::uint16_t port, Session::Time now);

    // Reads and writes as much as can be at once. Error: the connection is lost, or the client breaks the protocol.
    Result<void> process(Session::Time now);

    // Closes the socket and tells the session.
    void close(Session::Time now);

    [[nodiscard]] bool is_open() const { return static_cast<bool>(socket_); }
    [[nodiscard]] int fd() const { return socket_.get(); }
    // The events of poll(2) to wait for.
    [[nodiscard]] short events() const;

private:
    Result<void> receive(Session::Time now);
    Result<void> send();

    Session& session_;
    std::string path_;
    UniqueFd socket_;
    bool is_connecting_ = false;
};

}  // namespace tmm::boinc
