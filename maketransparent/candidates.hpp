// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which running processes may be marked: the caller's own, alive, of user space. A Candidate holds a pidfd, so that a process id
// that comes round again is noticed.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "maketransparent/process_info.hpp"

namespace tmm {

struct Candidate {
    pid_t pid = 0;
    ProcessInfo info;
    UniqueFd pidfd;

    [[nodiscard]] bool still_lives() const;
};

// Pure: whether caller (an effective user id) may mark the process. Error: says why not.
Result<void> check_process(pid_t pid, const ProcessInfo& info, uid_t caller);

// root: "/". Error: no such process, or why it may not be marked.
Result<Candidate> find_candidate(const RootDir& root, pid_t pid, uid_t caller);

}  // namespace tmm
