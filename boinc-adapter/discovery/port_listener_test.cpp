// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/discovery/port_listener.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "base/unique_fd.hpp"

namespace tmm::boinc {
namespace {

template <typename T>
std::string message_of(int type, const T& body) {
    nlmsghdr header{};
    header.nlmsg_len = sizeof header + sizeof body;
    header.nlmsg_type = static_cast<std::uint16_t>(type);
    std::string bytes(sizeof header + sizeof body, '\0');
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + sizeof header, &body, sizeof body);
    return bytes;
}

std::string found(std::uint16_t port, uid_t uid, std::uint8_t state = 10) {
    inet_diag_msg message{};
    message.idiag_state = state;
    message.id.idiag_sport = htons(port);
    message.idiag_uid = uid;
    return message_of(SOCK_DIAG_BY_FAMILY, message);
}

std::string refused(int error) {
    nlmsgerr message{};
    message.error = error;
    return message_of(NLMSG_ERROR, message);
}

TEST(Listener, IsTheUserOfTheSocketThatTheKernelNames) {
    EXPECT_EQ(parse_listener(found(31416, 112), 31416).value(), 112U);
    EXPECT_EQ(parse_listener(found(31416, 0), 31416).value(), 0U);
}

// Taken for "nobody", each of these would hand the authentication to whoever listens.
TEST(Listener, AnErrorIsNotNobody) {
    EXPECT_EQ(parse_listener(refused(-ENOENT), 31416).error().message(), "nobody listens at port 31416");
    EXPECT_EQ(parse_listener(refused(-ENOMEM), 31416).error().code(), ENOMEM);
    EXPECT_EQ(parse_listener(refused(0), 31416).error().code(), EPROTO);
    EXPECT_EQ(parse_listener(found(31417, 112), 31416).error().code(), EPROTO) << "another port";
    EXPECT_EQ(parse_listener(found(31416, 112, 1), 31416).error().code(), EPROTO) << "a connection";
    const std::string whole = found(31416, 112);
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_EQ(parse_listener(whole.substr(0, size), 31416).error().code(), EPROTO) << size;
}

// Returns a socket that listens at a free port, and the port; an address of IPv6 takes IPv4, too, unless it is told not to.
UniqueFd listen_at(int family, std::uint32_t address, bool only_six, std::uint16_t& port) {
    UniqueFd socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_addr.s_addr = htonl(address);
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    const int only = only_six ? 1 : 0;
    if (family == AF_INET6)
        ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
    auto* const name = family == AF_INET ? reinterpret_cast<sockaddr*>(&four) : reinterpret_cast<sockaddr*>(&six);
    socklen_t size = family == AF_INET ? sizeof four : sizeof six;
    if (!socket || ::bind(socket.get(), name, size) != 0 || ::listen(socket.get(), 1) != 0 ||
        ::getsockname(socket.get(), name, &size) != 0)
        return {};
    port = ntohs(family == AF_INET ? four.sin_port : six.sin6_port);
    return socket;
}

TEST(Listener, IsFoundWhereAConnectionToLoopbackLeads) {
    std::uint16_t port = 0;
    for (const std::uint32_t address : {INADDR_LOOPBACK, INADDR_ANY}) {
        const UniqueFd socket = listen_at(AF_INET, address, false, port);
        ASSERT_TRUE(socket);
        const auto listener = find_listener(port);
        ASSERT_TRUE(listener) << listener.error().message();
        EXPECT_EQ(*listener, ::geteuid());
    }
    EXPECT_EQ(find_listener(port).error().code(), ENOENT) << "it is closed";
    const UniqueFd elsewhere = listen_at(AF_INET, INADDR_LOOPBACK + 1, false, port);
    EXPECT_EQ(find_listener(port).error().code(), ENOENT) << "at 127.0.0.2";
    if (const UniqueFd both = listen_at(AF_INET6, 0, false, port)) {
        EXPECT_EQ(find_listener(port).value(), ::geteuid());
    }
    if (const UniqueFd six = listen_at(AF_INET6, 0, true, port)) {
        EXPECT_EQ(find_listener(port).error().code(), ENOENT);
    }
}

}  // namespace
}  // namespace tmm::boinc
