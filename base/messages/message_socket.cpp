// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/messages/message_socket.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace tmm {

namespace {

// The buffer of a control message for the files.
union Control {
    cmsghdr header;
    std::array<char, CMSG_SPACE(max_message_files * sizeof(int))> bytes;
};

Error socket_error(const char* call) {
    return Error::from_errno(errno == ECONNRESET ? EPIPE : errno, call);
}

std::vector<UniqueFd> take_files(msghdr& message) {
    std::vector<UniqueFd> files;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
        return files;
    for (std::size_t at = 0; CMSG_LEN(at + sizeof(int)) <= header->cmsg_len; at += sizeof(int)) {
        int file = -1;
        std::memcpy(&file, CMSG_DATA(header) + at, sizeof file);
        files.emplace_back(file);
    }
    return files;
}

}  // namespace

Result<std::pair<MessageSocket, MessageSocket>> MessageSocket::pair() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return Error::from_errno(errno, "socketpair");
    return std::pair(MessageSocket(UniqueFd(ends[0])), MessageSocket(UniqueFd(ends[1])));
}

Result<void> MessageSocket::send(std::string_view text, std::span<const int> files) const {
    if (text.empty() || text.size() > max_message_bytes || files.size() > max_message_files)
        return Error::from_errno(EMSGSIZE, "sendmsg");
    // It is only read.
    iovec vector{.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
    Control control{};
    msghdr message{};
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    if (!files.empty()) {
        message.msg_control = control.bytes.data();
        message.msg_controllen = CMSG_SPACE(files.size_bytes());
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(files.size_bytes());
        std::memcpy(CMSG_DATA(header), files.data(), files.size_bytes());
    }
    if (::sendmsg(fd_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
        return socket_error("sendmsg");
    return {};
}

Result<std::optional<MessageSocket::Message>> MessageSocket::receive(std::chrono::milliseconds wait,
                                                                     std::size_t max_files) const {
    pollfd waits{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waits, 1, static_cast<int>(wait.count()));
    if (ready < 0 && errno != EINTR)
        return Error::from_errno(errno, "poll");
    if (ready <= 0)
        return std::optional<Message>();
    Message received{std::string(max_message_bytes, '\0'), {}};
    iovec vector{.iov_base = received.text.data(), .iov_len = received.text.size()};
    Control control{};
    msghdr message{};
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    if (max_files > 0) {
        message.msg_control = control.bytes.data();
        message.msg_controllen = CMSG_LEN(std::min(max_files, max_message_files) * sizeof(int));
    }
    const ssize_t bytes = ::recvmsg(fd_.get(), &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (bytes < 0)
        return socket_error("recvmsg");
    // Comes first: they are open, whatever else is wrong.
    received.files = take_files(message);
    if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0)
        return Error::from_errno(EMSGSIZE, "recvmsg");
    if (bytes == 0)
        return Error::from_errno(EPIPE, "recvmsg");
    received.text.resize(static_cast<std::size_t>(bytes));
    return std::optional(std::move(received));
}

bool MessageSocket::is_closed() const {
    pollfd asks{.fd = fd_.get(), .events = 0, .revents = 0};
    return ::poll(&asks, 1, 0) > 0 && (asks.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace tmm
