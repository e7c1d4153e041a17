// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "process_sample.hpp"

#include <unistd.h>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::desk {

namespace {

Result<void> add_processes(const RootDir& root, const std::string& folder, std::map<Pid, std::uint64_t>& counters) {
    const auto pids = root.read_file(folder + "/cgroup.procs");
    if (!pids)
        return pids.error();
    std::string_view left = *pids;
    while (!left.empty()) {
        const auto pid = parse_uint(next_line(left));
        if (!pid)
            return Error(pid.error()).with_context(root.name_of(folder + "/cgroup.procs"));
        const std::string path = "proc/" + std::to_string(*pid) + "/io";
        const auto text = root.read_file(path);
        if (!text)
            continue;
        const auto bytes = parse_io_read_bytes(*text);
        if (!bytes)
            return Error(bytes.error()).with_context(root.name_of(path));
        counters[*pid] = *bytes;
    }
    const auto children = root.list_dirs(folder);
    if (!children)
        return children.error();
    for (const std::string& child : *children)
        if (auto result = add_processes(root, folder + "/" + child, counters); !result)
            return result;
    return {};
}

}  // namespace

Result<std::uint64_t> parse_stat_cpu_ticks(std::string_view text) {
    const std::size_t name_end = text.rfind(") ");
    if (name_end == std::string_view::npos)
        return Error(0, "expected 'PID (NAME) ...'");
    text.remove_prefix(name_end + 2);
    // proc(5): after the name come the fields from 3 on; 14 and 15 are the times.
    std::uint64_t ticks = 0;
    for (int field = 3; field <= 15; ++field) {
        const std::string_view word = next_word(text);
        if (field < 14)
            continue;
        const auto value = parse_uint(word);
        if (!value)
            return Error(0, "field " + std::to_string(field) + " is no number: '" + std::string(word) + "'");
        ticks += *value;
    }
    return ticks;
}

Result<std::uint64_t> parse_io_read_bytes(std::string_view text) {
    while (!text.empty()) {
        std::string_view line = next_line(text);
        if (next_word(line) == "read_bytes:")
            return parse_uint(trim(line));
    }
    return Error(0, "has no 'read_bytes'");
}

Result<std::map<Pid, std::uint64_t>> read_bytes_of_cgroup(const RootDir& root, const std::string& cgroup) {
    std::map<Pid, std::uint64_t> counters;
    if (auto result = add_processes(root, "sys/fs/cgroup/" + cgroup, counters); !result)
        return result.error();
    return counters;
}

std::uint64_t GrowthSum::update(const std::map<Pid, std::uint64_t>& counters) {
    for (const auto& [pid, value] : counters) {
        const auto last = last_.find(pid);
        // A smaller value belongs to another process with the same number.
        sum_ += last == last_.end() || value < last->second ? value : value - last->second;
    }
    last_ = counters;
    return sum_;
}

Result<DaemonSample> read_daemon(const RootDir& root, Pid pid) {
    const std::string folder = "proc/" + std::to_string(pid) + "/";
    const auto stat = root.read_file(folder + "stat");
    if (!stat)
        return stat.error();
    const auto ticks = parse_stat_cpu_ticks(*stat);
    if (!ticks)
        return Error(ticks.error()).with_context(root.name_of(folder + "stat"));
    const auto status = root.read_file(folder + "status");
    if (!status)
        return status.error();
    DaemonSample sample;
    sample.cpu_us = *ticks * 1000000 / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
    for (const auto& [key, place] : {std::pair("VmRSS", &sample.rss_bytes), std::pair("VmHWM", &sample.peak_bytes)}) {
        const auto bytes = parse_meminfo_bytes(*status, key);
        if (!bytes)
            return Error(bytes.error()).with_context(root.name_of(folder + "status"));
        *place = *bytes;
    }
    return sample;
}

std::string daemon_header() {
    return "daemon_cpu_us,daemon_rss_bytes,daemon_peak_bytes";
}

std::string daemon_row(const DaemonSample& sample) {
    return std::to_string(sample.cpu_us) + ',' + std::to_string(sample.rss_bytes) + ',' + std::to_string(sample.peak_bytes);
}

}  // namespace tmm::desk
