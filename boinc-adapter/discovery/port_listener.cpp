// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/discovery/port_listener.hpp"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/unique_fd.hpp"

namespace tmm::boinc {

namespace {

struct Question {
    nlmsghdr header;
    inet_diag_req_v2 request;
};

template <typename T>
bool take_value(std::string_view& bytes, T& value) {
    if (bytes.size() < sizeof value)
        return false;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return true;
}

}  // namespace

std::string listener_question(std::uint16_t port) {
    Question question{};
    question.header.nlmsg_len = sizeof question;
    question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    question.header.nlmsg_flags = NLM_F_REQUEST;
    // It finds sockets of IPv6 that take IPv4, as a connection does.
    question.request.sdiag_family = AF_INET;
    question.request.sdiag_protocol = IPPROTO_TCP;
    question.request.id.idiag_sport = htons(port);
    question.request.id.idiag_src[0] = htonl(INADDR_LOOPBACK);
    question.request.id.idiag_cookie[0] = question.request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    std::string bytes(sizeof question, '\0');
    std::memcpy(bytes.data(), &question, sizeof question);
    return bytes;
}

Result<uid_t> parse_listener(std::string_view answer, std::uint16_t port) {
    constexpr std::uint8_t listening = 10;  // TCP_LISTEN
    const std::string name = "the listener at port " + std::to_string(port);
    nlmsghdr header{};
    if (!take_value(answer, header))
        return Error(EPROTO, "no answer of sock_diag for " + name);
    if (header.nlmsg_type == NLMSG_ERROR) {
        nlmsgerr error{};
        if (!take_value(answer, error) || error.error >= 0)
            return Error(EPROTO, "no answer of sock_diag for " + name);
        if (error.error == -ENOENT)
            return Error(ENOENT, "nobody listens at port " + std::to_string(port));
        return Error::from_errno(-error.error, name);
    }
    inet_diag_msg message{};
    if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY || !take_value(answer, message) || message.idiag_state != listening ||
        message.id.idiag_sport != htons(port))
        return Error(EPROTO, "no answer of sock_diag for " + name);
    return message.idiag_uid;
}

Result<uid_t> find_listener(std::uint16_t port) {
    const UniqueFd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
    if (!socket)
        return Error::from_errno(errno, "sock_diag");
    const std::string question = listener_question(port);
    sockaddr_nl kernel{};
    kernel.nl_family = AF_NETLINK;
    if (::sendto(socket.get(), question.data(), question.size(), 0, reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel) <
        0)
        return Error::from_errno(errno, "sock_diag");
    // The kernel answers within the call before.
    std::array<char, 4096> answer;
    const ssize_t size = ::recv(socket.get(), answer.data(), answer.size(), MSG_DONTWAIT);
    if (size < 0)
        return Error::from_errno(errno, "sock_diag");
    return parse_listener({answer.data(), static_cast<std::size_t>(size)}, port);
}

}  // namespace tmm::boinc
