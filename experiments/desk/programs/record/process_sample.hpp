// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The recorder's figures of single processes: bytes that they read from disks, and the cost of a daemon. Readers take a root
// directory with proc/ and sys/fs/cgroup in it; parsers are pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::desk {

using Pid = std::uint64_t;

// User and system time out of /proc/PID/stat, in ticks. The process's name, which may be anything, does not confuse it.
Result<std::uint64_t> parse_stat_cpu_ticks(std::string_view text);

// "read_bytes: N" out of /proc/PID/io: what the process had fetched from disks, by read(2), by faults and from swap.
Result<std::uint64_t> parse_io_read_bytes(std::string_view text);

// The read bytes of all processes in the cgroup (relative to sys/fs/cgroup) and below it. One that has just ended is left out.
Result<std::map<Pid, std::uint64_t>> read_bytes_of_cgroup(const RootDir& root, const std::string& cgroup);

// Adds up counters of processes that come and go: the sum never falls. It misses the growth after the last poll of a process.
class GrowthSum {
public:
    // Takes the current counters; returns the sum of all growth, from 0 for each process.
    std::uint64_t update(const std::map<Pid, std::uint64_t>& counters);

private:
    std::map<Pid, std::uint64_t> last_;
    std::uint64_t sum_ = 0;
};

struct DaemonSample {
    std::uint64_t cpu_us = 0;      // user and system, since its start
    std::uint64_t rss_bytes = 0;   // resident
    std::uint64_t peak_bytes = 0;  // maximum of resident memory
};

// Error: the process is gone, or not readable.
Result<DaemonSample> read_daemon(const RootDir& root, Pid pid);

std::string daemon_header();
std::string daemon_row(const DaemonSample& sample);

}  // namespace tmm::desk
