// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/helper/helper_process.hpp"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace tmm::os {

namespace {

// The child of start().
[[noreturn]] void help(const MessageSocket& socket, const RootDir& parents_root, const HelperProcess::Work& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NAME, work.name.c_str());
    // A process opens its own root anew, since the next line closes all that is the parent's.
    constexpr int first_other = STDERR_FILENO + 1;
    if (socket.fd() != first_other && ::dup2(socket.fd(), first_other) < 0)
        ::_exit(EXIT_FAILURE);
    ::syscall(SYS_close_range, first_other + 1, ~0U, 0U);
    const auto root = RootDir::open(parents_root.name_of(""));
    if (!root || !keep_capabilities(work.capabilities))
        ::_exit(EXIT_FAILURE);
    work.serve(MessageSocket(UniqueFd(first_other)), *root);
    ::_exit(EXIT_SUCCESS);
}

}  // namespace

Result<std::unique_ptr<HelperProcess>> HelperProcess::start(const RootDir& root, const Work& work) {
    const auto own = own_capabilities();
    if (!own)
        return own.error();
    auto sockets = MessageSocket::pair();
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
