// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Selects the running processes that a caller may turn into contributions: the caller's own, alive, of user space.
// Not thread-safe for one Candidate; the functions share no state.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "maketransparent/process/process_info.hpp"

namespace tmm {

// A process that passed the checks. The pidfd keeps a reused process id from passing for this process.
struct Candidate {
    pid_t pid = 0;
    ProcessInfo info;
    UniqueFd pidfd;

    // False once the process has ended and its parent has collected it.
    [[nodiscard]] bool is_alive() const;
};

// Checks whether the caller may mark a process. Pure.
// pid: the id that the caller gave. caller: an effective user id; 0 may mark any process.
// Errors: EINVAL for a thread or a kernel thread, ESRCH for a zombie, EPERM for another user's process; the text explains.
Result<void> check_process(pid_t pid, const ProcessInfo& info, uid_t caller);

// Opens and checks a process.
// root: "/". Errors: ESRCH for no such process; those of check_process(); those of read_process().
Result<Candidate> find_candidate(const RootDir& root, pid_t pid, uid_t caller);

}  // namespace tmm
