// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/net/listener.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "base/units.hpp"

namespace tmm::caches {
namespace {

constexpr int first_inherited_descriptor = 3;

Result<Listener> listen_at(const addrinfo& address, int backlog) {
    UniqueFd socket(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket)
        return Error::from_errno(errno, "socket");
    const int on = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address.ai_family == AF_INET6)
        ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (::bind(socket.get(), address.ai_addr, address.ai_addrlen) != 0)
        return Error::from_errno(errno, "bind");
    if (::listen(socket.get(), backlog) != 0)
        return Error::from_errno(errno, "listen");
    return Listener{.socket = std::move(socket), .kind = EndpointKind::cache, .path = {}};
}

Result<sockaddr_un> address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path)
        return Error(ENAMETOOLONG, path + ": no name for a socket");
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

// Removes the socket of a server that has ended.
Result<void> remove_stale(const std::string& path, const sockaddr_un& address) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode))
        return {};
    const UniqueFd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int failed = ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
    if (failed == 0 || failed == EAGAIN)
        return Error(EADDRINUSE, path + ": another server listens there");
    if (failed == ECONNREFUSED)
        ::unlink(path.c_str());
    return {};
}

}  // namespace

Result<std::vector<Listener>> listen_tcp(const std::string& host, std::uint16_t port, int backlog) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int failed = ::getaddrinfo(host.empty() ? nullptr : host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (failed != 0)
        return Error(0, host + ": " + ::gai_strerror(failed));
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);
    std::vector<Listener> listeners;
    std::optional<Error> error;
    for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
        auto listener = listen_at(*address, backlog);
        if (listener)
            listeners.push_back(std::move(*listener));
        // A kernel without IPv6 has its addresses all the same.
        else if (listener.error().code() != EAFNOSUPPORT && listener.error().code() != EADDRNOTAVAIL)
            error = std::move(listener.error()).with_context((host.empty() ? "*" : host) + " port " + std::to_string(port));
    }
    if (error)
        return std::move(*error);
    if (listeners.empty())
        return Error(EADDRNOTAVAIL, host + ": this machine does not have that address");
    return listeners;
}

Result<Listener> listen_unix(const std::string& path, mode_t mode, int backlog, EndpointKind kind) {
    const auto address = address_of(path);
    if (!address)
        return address.error();
    if (auto removed = remove_stale(path, *address); !removed)
        return removed.error();
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket)
        return Error::from_errno(errno, "socket");
    // Nobody may connect before the mode is set.
    const mode_t old_mask = ::umask(0777 & ~mode);
    const int bound = ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address);
    const int code = errno;
    ::umask(old_mask);
    if (bound != 0)
        return Error::from_errno(code, path);
    if (::listen(socket.get(), backlog) != 0)
        return Error::from_errno(errno, path);
    return Listener{.socket = std::move(socket), .kind = kind, .path = path};
}

std::vector<Listener> inherited_listeners() {
    std::vector<Listener> listeners;
    const char* const pid = std::getenv("LISTEN_PID");
    const char* const number = std::getenv("LISTEN_FDS");
    const char* const names = std::getenv("LISTEN_FDNAMES");
    if (pid == nullptr || number == nullptr || pid != std::to_string(::getpid()))
        return listeners;
    const auto descriptors = parse_uint(number);
    std::string_view rest = names == nullptr ? "" : names;
    for (std::uint64_t i = 0; descriptors && i < *descriptors; ++i) {
        const std::string_view name = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
        Listener listener;
        listener.socket = UniqueFd(first_inherited_descriptor + static_cast<int>(i));
        listener.kind = name == "crsh" ? EndpointKind::crsh : EndpointKind::cache;
        ::fcntl(listener.socket.get(), F_SETFD, FD_CLOEXEC);
        ::fcntl(listener.socket.get(), F_SETFL, ::fcntl(listener.socket.get(), F_GETFL) | O_NONBLOCK);
        listeners.push_back(std::move(listener));
    }
    ::unsetenv("LISTEN_PID");
    ::unsetenv("LISTEN_FDS");
    ::unsetenv("LISTEN_FDNAMES");
    return listeners;
}

std::uint16_t port_of(const Listener& listener) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getsockname(listener.socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return 0;
    if (address.ss_family == AF_INET)
        return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
    if (address.ss_family == AF_INET6)
        return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
    return 0;
}

}  // namespace tmm::caches
