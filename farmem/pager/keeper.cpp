// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/keeper.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <span>
#include <string>

#include "base/unique_fd.hpp"
#include "farmem/uffd/userfault.hpp"

namespace tmm::far {

namespace {

constexpr int interval_us = 10'000;
// So many intervals hands have to end their programs with a word.
constexpr int nr_patient_intervals = 100;

// Calls visit(fd, target of its link) for each open file.
void for_each_file(const auto& visit) {
    DIR* const directory = ::opendir("/proc/self/fd");
    if (!directory)
        return;
    while (const dirent* const entry = ::readdir(directory)) {
        char target[PATH_MAX] = {};
        if (const int fd = std::atoi(entry->d_name);
            fd > 2 && ::readlinkat(::dirfd(directory), entry->d_name, target, sizeof target - 1) > 0)
            visit(fd, std::string(target));
    }
    ::closedir(directory);
}

void for_each_userfault(const auto& visit) {
    for_each_file([&](int fd, const std::string& target) {
        // Looked at through a copy: it stays open.
        if (target == "anon_inode:[userfaultfd]")
            visit(Userfault(UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, 3))));
    });
}

// Returns whether a process still has a userfaultfd that is open here.
bool any_is_alive() {
    bool found = false;
    for_each_userfault([&](const Userfault& userfault) { found = found || userfault.is_alive(); });
    return found;
}

// Ends who waits for a page, and reads all events, so that nobody waits for those.
void end_waiting() {
    for_each_userfault([&](const Userfault& userfault) {
        std::array<uffd_msg, 64> messages;
        for (const uffd_msg& message : std::span(messages).first(userfault.read(messages))) {
            if (message.event == UFFD_EVENT_PAGEFAULT)
                userfault.poison(message.arg.pagefault.address);
        }
    });
}

[[noreturn]] void keep(int pager) {
    ::prctl(PR_SET_NAME, "tmm-far-keeper");
    ::setsid();
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        ::signal(signal, SIG_IGN);
    pollfd ended{.fd = pager, .events = POLLIN, .revents = 0};
    while (::poll(&ended, 1, -1) < 0) {
    }
    for_each_file([](int fd, const std::string& target) {
        // Closed, so that callers whom the pager had not accepted do not wait either.
        if (target.starts_with("socket:"))
            ::close(fd);
        // The next pager starts while processes of this one still end.
        else if (target.ends_with(".lock"))
            ::flock(fd, LOCK_UN);
    });
    // The pager may have read what somebody waits for.
    for_each_userfault([](const Userfault& userfault) { userfault.wake_all(); });
    // SIGBUS would end a program before its hand has said why. A child has no hand.
    for (int interval = 0; any_is_alive(); ++interval) {
        if (interval >= nr_patient_intervals)
            end_waiting();
        ::usleep(interval_us);
    }
    ::_exit(0);
}

}  // namespace

Result<void> start_keeper() {
    // It is opened before the two part, so it is the same number in both, and stays open.
    const auto pager = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
    if (pager < 0)
        return Error::from_errno(errno, "pidfd_open");
    const long keeper = ::syscall(SYS_clone, CLONE_FILES | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
    if (keeper < 0)
        return Error::from_errno(errno, "clone");
    if (keeper == 0)
        keep(pager);
    return {};
}

}  // namespace tmm::far
