// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/client/connection.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tmm::boinc {

namespace {

int connect_to(int fd, const std::string& path, std::uint16_t port) {
    if (path.empty()) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

}  // namespace

Result<void> Connection::open(std::uint16_t port, Session::Time now) {
    session_.begin(now);
    socket_ = UniqueFd(::socket(path_.empty() ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket_)
        return Error::from_errno(errno, "socket");
    if (connect_to(socket_.get(), path_, port) == 0) {
        is_connecting_ = false;
        session_.connected(now);
        return {};
    }
    if (errno != EINPROGRESS)
        return Error::from_errno(errno, "connecting to the BOINC client");
    is_connecting_ = true;
    return {};
}

Result<void> Connection::process(Session::Time now) {
    if (is_connecting_) {
        pollfd ready{socket_.get(), POLLOUT, 0};
        if (::poll(&ready, 1, 0) == 0)
            return {};
        int code = 0;
        socklen_t size = sizeof code;
        if (::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &code, &size) != 0)
            code = errno;
        if (code != 0)
            return Error::from_errno(code, "connecting to the BOINC client");
        is_connecting_ = false;
        session_.connected(now);
    }
    auto done = receive(now);
    return done ? send() : done;
}

Result<void> Connection::receive(Session::Time now) {
    // A client that sends without end must not keep the loop from other work.
    constexpr int max_pieces = 64;
    std::array<char, 65536> buffer;
    for (int piece = 0; piece < max_pieces; ++piece) {
        const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return {};
        if (got < 0)
            return Error::from_errno(errno, "reading from the BOINC client");
        if (got == 0)
            return Error(ECONNRESET, "the BOINC client closed the connection");
        auto taken = session_.received({buffer.data(), static_cast<std::size_t>(got)}, now);
        if (!taken)
            return taken;
    }
    return {};
}

Result<void> Connection::send() {
    while (!session_.outgoing().empty()) {
        const ssize_t sent = ::send(socket_.get(), session_.outgoing().data(), session_.outgoing().size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno == EAGAIN)
            return {};
        if (sent < 0)
            return Error::from_errno(errno, "writing to the BOINC client");
        session_.sent(static_cast<std::size_t>(sent));
    }
    return {};
}

void Connection::close(Session::Time now) {
    socket_.reset();
    is_connecting_ = false;
    session_.lost(now);
}

short Connection::events() const {
    const bool writes = is_connecting_ || !session_.outgoing().empty();
    return static_cast<short>(POLLIN | (writes ? POLLOUT : 0));
}

}  // namespace tmm::boinc
