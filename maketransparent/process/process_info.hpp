// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Information about a process from /proc/PID. Parsers are pure; readers take the root directory ("/").
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm {

struct ProcessStat {
    std::string comm;
    char state = '?';
    std::uint64_t flags = 0;  // PF_* of the kernel

    [[nodiscard]] bool is_zombie() const { return state == 'Z' || state == 'X'; }
    [[nodiscard]] bool is_kernel_thread() const;
};

struct ProcessStatus {
    pid_t tgid = 0;
    uid_t uid = 0;                     // the effective user id
    std::uint64_t resident_bytes = 0;  // 0 for zombies and kernel threads
};

struct ProcessInfo {
    ProcessStat stat;
    ProcessStatus status;
    std::string cgroup;  // below the root of the caller's cgroup namespace, with a leading '/'
};

// Parse /proc/PID/stat, /proc/PID/status and /proc/PID/cgroup.
// Errors: EINVAL for any other text; parse_cgroup() returns ENOENT if there is no line of cgroup v2.
Result<ProcessStat> parse_stat(std::string_view text);
Result<ProcessStatus> parse_status(std::string_view text);
Result<std::string> parse_cgroup(std::string_view text);

// Reads the three files of a process. pid: a directory of /proc.
// Errors: ENOENT or ESRCH if the process does not exist; those of the parsers.
Result<ProcessInfo> read_process(const RootDir& root, const std::string& pid);

}  // namespace tmm
