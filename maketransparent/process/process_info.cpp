// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/process/process_info.hpp"

#include <cerrno>
#include <limits>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm {

namespace {

constexpr std::uint64_t pf_kthread = 0x00200000;  // include/linux/sched.h; ABI, because /proc/PID/stat shows it

// Returns the rest of the line that starts with key, or nothing.
std::string_view find_line(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        if (text.starts_with(key))
            return trim(text.substr(key.size(), end == std::string_view::npos ? end : end - key.size()));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return {};
}

}  // namespace

bool ProcessStat::is_kernel_thread() const {
    return (flags & pf_kthread) != 0;
}

Result<ProcessStat> parse_stat(std::string_view text) {
    // "PID (comm) state ppid pgrp session tty tpgid flags ...": comm may hold blanks and parentheses, the rest cannot.
    const auto open = text.find('(');
    const auto close = text.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
        return Error(EINVAL, "no (name) in /proc/PID/stat");
    ProcessStat stat;
    stat.comm = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    const auto state = next_word(text);
    for (int i = 0; i < 5; ++i)
        next_word(text);
    const auto flags = parse_uint(next_word(text));
    if (state.size() != 1 || !flags)
        return Error(EINVAL, "/proc/PID/stat is cut off");
    stat.state = state[0];
    stat.flags = *flags;
    return stat;
}

Result<ProcessStatus> parse_status(std::string_view text) {
    std::string_view uids = find_line(text, "Uid:");
    next_word(uids);  // the real user id
    const auto uid = parse_uint(next_word(uids));
    const auto tgid = parse_uint(find_line(text, "Tgid:"));
    if (!uid || !tgid || *uid > std::numeric_limits<uid_t>::max() || *tgid > std::numeric_limits<pid_t>::max())
        return Error(EINVAL, "no valid Uid or Tgid in /proc/PID/status");
    ProcessStatus status;
    status.uid = static_cast<uid_t>(*uid);
    status.tgid = static_cast<pid_t>(*tgid);
    if (const auto rss = find_line(text, "VmRSS:"); !rss.empty()) {
        const auto bytes = parse_bytes(rss);
        if (!bytes)
            return Error(EINVAL, "no valid VmRSS in /proc/PID/status");
        status.resident_bytes = *bytes;
    }
    return status;
}

Result<std::string> parse_cgroup(std::string_view text) {
    const auto path = find_line(text, "0::");
    if (!path.starts_with('/'))
        return Error(ENOENT, "the process is in no cgroup v2");
    return std::string(path);
}

Result<ProcessInfo> read_process(const RootDir& root, const std::string& pid) {
    const std::string dir = "proc/" + pid + "/";
    const auto in_context = [&](Error error) { return std::move(error).with_context("process " + pid); };
    auto text = root.read_file(dir + "stat");
    if (!text)
        return in_context(std::move(text).error());
    auto stat = parse_stat(*text);
    if (!stat)
        return in_context(std::move(stat).error());
    text = root.read_file(dir + "status");
    if (!text)
        return in_context(std::move(text).error());
    auto status = parse_status(*text);
    if (!status)
        return in_context(std::move(status).error());
    text = root.read_file(dir + "cgroup");
    if (!text)
        return in_context(std::move(text).error());
    auto cgroup = parse_cgroup(*text);
    if (!cgroup)
        return in_context(std::move(cgroup).error());
    return ProcessInfo{std::move(*stat), *status, std::move(*cgroup)};
}

}  // namespace tmm
