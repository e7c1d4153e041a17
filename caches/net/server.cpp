// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/net/server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

namespace tmm::caches {
namespace {

// Of one listener before the others have their turn.
constexpr int max_accepted_at_once = 64;
constexpr std::string_view too_many = "ERROR Too many open connections\r\n";
// Without descriptors or memory, accepting goes on after this.
constexpr int pause_milliseconds = 10;

std::string address_text(const sockaddr_storage& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address.ss_family == AF_INET) {
        const auto& in = reinterpret_cast<const sockaddr_in&>(address);
        ::inet_ntop(AF_INET, &in.sin_addr, text.data(), text.size());
        return "tcp:" + std::string(text.data()) + ":" + std::to_string(ntohs(in.sin_port));
    }
    const auto& in = reinterpret_cast<const sockaddr_in6&>(address);
    ::inet_ntop(AF_INET6, &in.sin6_addr, text.data(), text.size());
    return "tcp6:[" + std::string(text.data()) + "]:" + std::to_string(ntohs(in.sin6_port));
}

Peer peer_of(int socket, const sockaddr_storage& address, const Listener& listener) {
    Peer peer;
    peer.endpoint = listener.kind;
    peer.is_local_socket = address.ss_family != AF_INET && address.ss_family != AF_INET6;
    if (!peer.is_local_socket) {
        peer.user = user_at(address);
        peer.address = address_text(address);
        sockaddr_storage own{};
        socklen_t own_size = sizeof own;
        if (::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_size) == 0)
            peer.listen_address = address_text(own);
        return peer;
    }
    ucred credentials{};
    socklen_t size = sizeof credentials;
    const bool known = ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0;
    peer.user = known ? "uid " + std::to_string(credentials.uid) : "uid unknown";
    peer.address = peer.listen_address = "unix:" + listener.path;
    return peer;
}

}  // namespace

Server::Server(const ServerOptions& options, std::vector<Listener> listeners, const SessionFactory& factory)
    : options_(options),
      listeners_(std::move(listeners)),
      accounts_(options.bounds, "uid " + std::to_string(::geteuid())),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      room_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!epoll_ || !room_)
        throw std::system_error(errno, std::generic_category(), "epoll");
    epoll_event event{.events = EPOLLIN, .data = {.fd = room_.get()}};
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, room_.get(), &event);
    for (const Listener& listener : listeners_) {
        event.data.fd = listener.socket.get();
        if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, listener.socket.get(), &event) != 0)
            throw std::system_error(errno, std::generic_category(), "epoll_ctl");
    }
    for (std::size_t i = 0; i < options_.nr_workers; ++i)
        workers_.push_back(std::make_unique<Worker>(options_.worker, factory, [this](const Peer& peer) { left(peer); }));
}

void Server::left(const Peer& peer) {
    accounts_.leave(peer.user);
    if (!counts_.accepts) {
        const std::uint64_t one = 1;
        static_cast<void>(::write(room_.get(), &one, sizeof one));
    }
}

void Server::set_accepting(bool accepts) {
    if (counts_.accepts.exchange(accepts) == accepts)
        return;
    const auto now = std::chrono::steady_clock::now();
    if (accepts) {
        const auto disabled = std::chrono::duration_cast<std::chrono::microseconds>(now - disabled_since_);
        counts_.disabled_microseconds += static_cast<std::uint64_t>(disabled.count());
    } else {
        ++counts_.listen_disabled;
        disabled_since_ = now;
    }
    for (const Listener& listener : listeners_) {
        epoll_event event{.events = accepts ? EPOLLIN : 0U, .data = {.fd = listener.socket.get()}};
        ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, listener.socket.get(), &event);
    }
}

void Server::accept_from(const Listener& listener) {
    for (int i = 0; i < max_accepted_at_once; ++i) {
        if (!options_.refuses_at_once && accounts_.connections() >= options_.bounds.max_connections) {
            set_accepting(false);
            // One may have ended just before, and told nobody.
            if (accounts_.connections() >= options_.bounds.max_connections)
                return;
            set_accepting(true);
        }
        sockaddr_storage address{};
        socklen_t size = sizeof address;
        UniqueFd socket(
            ::accept4(listener.socket.get(), reinterpret_cast<sockaddr*>(&address), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!socket) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                ::poll(nullptr, 0, pause_milliseconds);
            return;
        }
        Peer peer = peer_of(socket.get(), address, listener);
        auto account = accounts_.join(peer.user);
        if (!account) {
            ++counts_.rejected;
            static_cast<void>(::send(socket.get(), too_many.data(), too_many.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
            continue;
        }
        if (!peer.is_local_socket) {
            const int on = 1;
            ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            if (options_.keep_alive)
                ::setsockopt(socket.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
        }
        ++counts_.accepted;
        peer.number = next_number_++;
        const std::size_t worker = peer.number % workers_.size();
        peer.worker = static_cast<int>(worker);
        workers_[worker]->add(std::move(socket), std::move(peer), std::move(account));
    }
}

Result<void> Server::run(int until) {
    epoll_event event{.events = EPOLLIN, .data = {.fd = until}};
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, until, &event) != 0)
        return Error::from_errno(errno, "epoll_ctl");
    std::array<epoll_event, 16> events;
    for (;;) {
        const int number = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
        if (number < 0 && errno != EINTR)
            return Error::from_errno(errno, "epoll_wait");
        for (int i = 0; i < number; ++i) {
            const int socket = events[static_cast<std::size_t>(i)].data.fd;
            if (socket == until)
                return {};
            if (socket == room_.get()) {
                std::uint64_t ended = 0;
                static_cast<void>(::read(room_.get(), &ended, sizeof ended));
                set_accepting(true);
            }
            for (const Listener& listener : listeners_) {
                if (socket == listener.socket.get())
                    accept_from(listener);
            }
        }
    }
}

}  // namespace tmm::caches
