// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/process/candidates.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace tmm {

namespace {

// By syscall(2): <sys/pidfd.h> of glibc 2.36 cannot be used from C++ (it lacks extern "C").
int open_pidfd(pid_t pid) {
    return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

Error no_such_process(pid_t pid) {
    return {ESRCH, "there is no process " + std::to_string(pid)};
}

}  // namespace

bool Candidate::is_alive() const {
    // Any other error, such as EPERM, means that it is alive.
    return ::syscall(SYS_pidfd_send_signal, pidfd.get(), 0, nullptr, 0) == 0 || errno != ESRCH;
}

Result<void> check_process(pid_t pid, const ProcessInfo& info, uid_t caller) {
    const std::string process = "process " + std::to_string(pid) + " (" + info.stat.comm + ")";
    if (info.status.tgid != pid)
        return Error(EINVAL, std::to_string(pid) + " is a thread of process " + std::to_string(info.status.tgid) +
                                 ": name that process, because all its threads are marked together");
    if (info.stat.is_zombie())
        return Error(ESRCH, process + " has ended and waits for its parent (a zombie)");
    if (info.stat.is_kernel_thread())
        return Error(EINVAL, process + " is a kernel thread: it has no memory of its own to contribute");
    if (caller != 0 && info.status.uid != caller)
        return Error(EPERM, process + " is not yours: it belongs to the user with id " + std::to_string(info.status.uid) +
                                ", and only root may mark it");
    return {};
}

Result<Candidate> find_candidate(const RootDir& root, pid_t pid, uid_t caller) {
    UniqueFd pidfd(open_pidfd(pid));
    // A thread gives another error than ESRCH; check_process() finds it by /proc.
    if (!pidfd && errno == ESRCH)
        return no_such_process(pid);
    auto info = read_process(root, std::to_string(pid));
    if (!info && (info.error().code() == ENOENT || info.error().code() == ESRCH))
        return no_such_process(pid);
    if (!info)
        return std::move(info).error();
    if (auto checked = check_process(pid, *info, caller); !checked)
        return std::move(checked).error();
    if (!pidfd)
        return no_such_process(pid);
    Candidate candidate{pid, std::move(*info), std::move(pidfd)};
    if (!candidate.is_alive())
        return no_such_process(pid);
    return candidate;
}

}  // namespace tmm
