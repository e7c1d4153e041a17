// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The recorder's figures of a second: of the owner's and the contribution's cgroups and of the whole machine. Counters since the
// boot, sizes in bytes. Readers take a root directory.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::desk {

struct ClassSample {
    std::uint64_t pgmajfault = 0;
    std::uint64_t refault_anon = 0;
    std::uint64_t refault_file = 0;
    std::uint64_t current_bytes = 0;
    std::uint64_t swap_bytes = 0;
    std::uint64_t swapcached_bytes = 0;  // In both current and swap: resident, with a copy in swap.
    std::uint64_t anon_bytes = 0;
    std::uint64_t file_bytes = 0;
    std::uint64_t stall_us = 0;  // Some task of the class waited for memory.
    std::uint64_t cpu_us = 0;    // CPU time
    std::uint64_t user_us = 0;   // of it in its programs, not in the kernel
};

// All memory of the class, resident and swapped out, each page once.
std::uint64_t footprint_bytes(const ClassSample& sample);

struct MachineSample {
    std::uint64_t free_bytes = 0;
    std::uint64_t pswpin = 0;
    std::uint64_t pswpout = 0;
    std::uint64_t pgmajfault = 0;
};

// cgroup: relative to sys/fs/cgroup below root. Its counts include the cgroups below it. Error: names the file and what it lacks.
Result<ClassSample> read_class(const RootDir& root, const std::string& cgroup);

Result<MachineSample> read_machine(const RootDir& root);

// The columns of a class (with its name before each) and of the machine, and the values in the same order.
std::string class_header(const std::string& name);
std::string class_row(const ClassSample& sample);
std::string machine_header();
std::string machine_row(const MachineSample& sample);

}  // namespace tmm::desk
