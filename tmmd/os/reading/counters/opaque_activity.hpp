// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OpaqueCpu and OpaqueRefaults: count the processor time and the refaults of opaque processes. Both subtract the transparent
// cgroups' counts from the machine's. Called from one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/os/reading/counters/opaque_delta.hpp"
#include "tmmd/os/reading/counters/persistent_file.hpp"
#include "tmmd/os/reading/counters/vmstat_delta.hpp"

namespace tmm::os {

// Returns the microseconds that all processors together worked, from the first line of /proc/stat: user, nice, system, irq,
// softirq. The root cgroup's cpu.stat of Linux 6.12 has the same sum. Time stolen by a hypervisor does not count.
// ticks_per_second: USER_HZ, above 0. Pure. Error: another first line, fewer numbers, more than 2^64 - 1 microseconds.
Result<std::uint64_t> parse_cpu_time_us(std::string_view text, std::uint64_t ticks_per_second);

// OpaqueCpu: counts the processor time of opaque processes and of the kernel's own threads and interrupts. The kernel counts the
// machine's time in ticks, a cgroup's exactly. While transparent processes keep the processors busy, a difference of a few ticks
// a second is noise.
class OpaqueCpu {
public:
    explicit OpaqueCpu(const RootDir& root);

    // Returns the time since the last call, of all processors together; 0 at the first. transparent_cgroups: as for
    // MissCounter::read_delta. It keeps the files open, so that a call every second costs next to nothing. Error: neither the
    // root cgroup's cpu.stat (Linux 5.10) nor /proc/stat can be read.
    Result<std::chrono::nanoseconds> read_delta(const std::vector<std::string>& transparent_cgroups);

private:
    Result<std::uint64_t> machine_us();

    const RootDir& root_;
    std::string machine_path_;
    PersistentFile machine_;
    std::map<std::string, PersistentFile> cgroups_;
    OpaqueDelta<1> delta_;
};

// Refaults. Unlike major faults, they include pages that read-ahead brought back.
struct RefaultsByKind {
    std::uint64_t anonymous = 0;
    std::uint64_t file = 0;
};

// OpaqueRefaults: counts the refaults of opaque pages.
class OpaqueRefaults {
public:
    explicit OpaqueRefaults(const RootDir& root) : delta_(root, {"workingset_refault_anon", "workingset_refault_file"}) {}

    // Returns the pages since the last call; zeros at the first. transparent_cgroups: as for MissCounter::read_delta. Error:
    // /proc/vmstat cannot be read, or does not separate the kinds (before Linux 5.9).
    Result<RefaultsByKind> read_delta(const std::vector<std::string>& transparent_cgroups);

private:
    VmstatDelta<2> delta_;
};

}  // namespace tmm::os
