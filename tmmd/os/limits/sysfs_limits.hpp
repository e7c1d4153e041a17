// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SysfsLimits: writes limits to /sys/kernel/mm/tmm of the patched kernel and reads usage there (docs/kernel-interface.md). Called
// from one thread.
#pragma once

#include "base/root_dir.hpp"
#include "tmmd/os/limits/limit_sink.hpp"

namespace tmm::os {

class SysfsLimits {
public:
    static constexpr std::uint64_t abi_version = 1;

    // root: the root directory of the system. Error: the kernel lacks the patches, or has another version of them.
    static Result<SysfsLimits> open(const RootDir& root);

    // Sets both limits. Error: the kernel cannot be written; one limit may then be set.
    Result<void> write(const Limits& limits);
    // As of LimitSink.
    Result<core::MemoryUsage> usage();

private:
    explicit SysfsLimits(RootDir dir) : dir_(std::move(dir)) {}
    Result<core::Pages> read_pages(std::string_view name);

    RootDir dir_;
};

}  // namespace tmm::os
