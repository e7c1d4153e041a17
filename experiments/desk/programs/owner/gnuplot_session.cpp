// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "gnuplot_session.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "presence_clock.hpp"

namespace tmm::desk {

Result<GnuplotSession> GnuplotSession::start(const std::string& program) {
    int to_child[2];
    int from_child[2];
    if (::pipe2(to_child, O_CLOEXEC) != 0)
        return Error::from_errno(errno, "pipe");
    UniqueFd child_input(to_child[0]);
    UniqueFd input(to_child[1]);
    if (::pipe2(from_child, O_CLOEXEC) != 0)
        return Error::from_errno(errno, "pipe");
    UniqueFd output(from_child[0]);
    UniqueFd child_output(from_child[1]);

    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, child_input.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, child_output.get(), STDOUT_FILENO);
    std::string name = program;
    std::array<char*, 2> arguments{name.data(), nullptr};
    pid_t pid = -1;
    const int failed = ::posix_spawnp(&pid, program.c_str(), &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return Error::from_errno(failed, "cannot start " + program);
    ::signal(SIGPIPE, SIG_IGN);  // A dead gnuplot is to be an error of write(2).
    return GnuplotSession(pid, std::move(input), std::move(output));
}

GnuplotSession::GnuplotSession(GnuplotSession&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      pending_(std::move(other.pending_)) {}

GnuplotSession::~GnuplotSession() {
    if (pid_ <= 0)
        return;
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Result<void> GnuplotSession::run(const std::string& commands, const std::string& mark) {
    for (std::size_t sent = 0; sent < commands.size();) {
        const ssize_t written = ::write(input_.get(), commands.data() + sent, commands.size() - sent);
        if (written > 0)
            sent += static_cast<std::size_t>(written);
        else if (errno != EINTR || asked_to_end())
            return Error::from_errno(errno, "cannot write to gnuplot");
    }
    while (true) {
        for (std::size_t end; (end = pending_.find('\n')) != std::string::npos;) {
            const bool found = pending_.compare(0, end, mark) == 0;
            pending_.erase(0, end + 1);
            if (found)
                return {};
        }
        std::array<char, 4096> buffer{};
        const ssize_t received = ::read(output_.get(), buffer.data(), buffer.size());
        if (received > 0)
            pending_.append(buffer.data(), static_cast<std::size_t>(received));
        else if (received == 0)
            return Error(0, "gnuplot has ended: its messages are on standard error");
        else if (errno != EINTR || asked_to_end())
            return Error::from_errno(errno, "cannot read from gnuplot");
    }
}

}  // namespace tmm::desk
