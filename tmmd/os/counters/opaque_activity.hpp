// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What opaque processes do: the CPU time that they use, and the pages that come back after they were evicted. Both are the
// machine's less those of the transparent cgroups. Called from one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/os/counters/opaque_delta.hpp"
#include "tmmd/os/counters/persistent_file.hpp"
#include "tmmd/os/counters/vmstat_delta.hpp"

namespace tmm::os {

// Microseconds that all CPUs together worked, from the first line of /proc/stat: user, nice, system, irq, softirq; the same sum
// as in the root cgroup's cpu.stat of Linux 6.12. Time stolen by a hypervisor is nobody's work. ticks_per_second: USER_HZ, above
// 0. Pure. Error: another first line, fewer numbers, more than 2^64 - 1 microseconds.
Result<std::uint64_t> parse_cpu_time_us(std::string_view text, std::uint64_t ticks_per_second);

// CPU time of opaque processes and of the kernel's own threads and interrupts. The kernel counts the machine's time in ticks, a
// cgroup's exactly: while transparent processes keep the CPUs busy, a few ticks more or less a second say nothing.
class OpaqueCpu {
public:
    explicit OpaqueCpu(const RootDir& root);

    // Since the last call, of all CPUs together; 0 at the first. transparent_cgroups: as in MissCounter::count. Keeps the files
    // open, so that a call every second costs next to nothing.
    // Error: neither the root cgroup's cpu.stat (Linux 5.10) nor /proc/stat can be read.
    Result<std::chrono::nanoseconds> read_delta(const std::vector<std::string>& transparent_cgroups);

private:
    Result<std::uint64_t> machine_us();

    const RootDir& root_;
    std::string machine_path_;
    PersistentFile machine_;
    std::map<std::string, PersistentFile> cgroups_;
    OpaqueDelta<1> delta_;
};

// Pages that came back after they were evicted. Unlike major faults, those that read-ahead brought back count, too.
struct RefaultsByKind {
    std::uint64_t anonymous = 0;
    std::uint64_t file = 0;
};

class OpaqueRefaults {
public:
    explicit OpaqueRefaults(const RootDir& root) : delta_(root, {"workingset_refault_anon", "workingset_refault_file"}) {}

    // Pages since the last call; zeros at the first. Arguments as for MissCounter::count. Error: /proc/vmstat cannot be read, or
    // does not tell the kinds apart (before Linux 5.9).
    Result<RefaultsByKind> read_delta(const std::vector<std::string>& transparent_cgroups);

private:
    VmstatDelta<2> delta_;
};

}  // namespace tmm::os
