// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/helper/helper_process.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace tmm::os {

namespace {

// The child of start().
[[noreturn]] void help(const UniqueFd& socket, const RootDir& parents_root, const HelperProcess::Work& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NAME, work.name.c_str());
    // A process opens its own root anew, since the next line closes all that is the parent's.
    constexpr int first_other = STDERR_FILENO + 1;
    if (socket.get() != first_other && ::dup2(socket.get(), first_other) < 0)
        ::_exit(EXIT_FAILURE);
    ::syscall(SYS_close_range, first_other + 1, ~0U, 0U);
    const auto root = RootDir::open(parents_root.name_of(""));
    if (!root || !keep_capabilities(work.capabilities))
        ::_exit(EXIT_FAILURE);
    work.serve(first_other, *root);
    ::_exit(EXIT_SUCCESS);
}

}  // namespace

Result<std::pair<UniqueFd, UniqueFd>> message_sockets() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return Error::from_errno(errno, "socketpair");
    return std::pair(UniqueFd(ends[0]), UniqueFd(ends[1]));
}

Result<void> send_message(int socket, std::string_view message) {
    if (message.size() > max_message_bytes)
        return Error::from_errno(EMSGSIZE, "send");
    if (::send(socket, message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
        return Error::from_errno(errno == ECONNRESET ? EPIPE : errno, "send");
    return {};
}

Result<std::optional<std::string>> receive_message(int socket, std::chrono::milliseconds wait) {
    pollfd waits{.fd = socket, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waits, 1, static_cast<int>(wait.count()));
    if (ready < 0 && errno != EINTR)
        return Error::from_errno(errno, "poll");
    if (ready <= 0)
        return std::optional<std::string>();
    std::string message(max_message_bytes, '\0');
    const ssize_t bytes = ::recv(socket, message.data(), message.size(), MSG_TRUNC | MSG_DONTWAIT);
    if (bytes < 0)
        return Error::from_errno(errno == ECONNRESET ? EPIPE : errno, "recv");
    if (bytes == 0)
        return Error::from_errno(EPIPE, "recv");
    if (static_cast<std::size_t>(bytes) > message.size())
        return Error::from_errno(EMSGSIZE, "recv");
    message.resize(static_cast<std::size_t>(bytes));
    return std::optional(std::move(message));
}

bool is_closed(int socket) {
    pollfd asks{.fd = socket, .events = 0, .revents = 0};
    return ::poll(&asks, 1, 0) > 0 && (asks.revents & (POLLHUP | POLLERR)) != 0;
}

Result<std::unique_ptr<HelperProcess>> HelperProcess::start(const RootDir& root, const Work& work) {
    const auto own = own_capabilities();
    if (!own)
        return own.error();
    auto sockets = message_sockets();
    if (!sockets)
        return std::move(sockets).error();
    if ((*own & work.capabilities) != work.capabilities)
        return Error(EPERM, "tmmd lacks capabilities that its helper process " + work.name + " needs; tmmd(8) names them");
    auto& [ours, helpers] = *sockets;
    const pid_t pid = ::fork();
    if (pid < 0)
        return Error::from_errno(errno, "fork");
    if (pid == 0)
        help(helpers, root, work);
    return std::make_unique<HelperProcess>(std::move(ours), pid);
}

HelperProcess::~HelperProcess() {
    if (pid_ == 0)
        return;
    // It may wait for a disk or a lock; whoever inherits it then sees its end.
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, WNOHANG);
}

}  // namespace tmm::os
