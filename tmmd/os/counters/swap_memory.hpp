// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SwapMemory: swap that is not elsewhere: zram and zswap keep pages in memory, compressed. Called from one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/counters/persistent_file.hpp"

namespace tmm::os {

class SwapMemory {
public:
    // root must outlive it.
    explicit SwapMemory(const RootDir& root);

    // Memory in pages that swapped pages take, whoever they belong to: mm_stat of the zram devices that are swapped to, and Zswap
    // of /proc/meminfo. Keeps the files open and leaves out what can hold nothing, for a call every second.
    // Error: one of the files cannot be read or makes no sense.
    Result<core::Pages> read();

private:
    Result<std::uint64_t> read_zram_bytes(const std::string& device);
    Result<std::uint64_t> read_zswap_bytes();

    const RootDir& root_;
    PersistentFile swaps_;
    PersistentFile zswap_enabled_;
    PersistentFile meminfo_;
    std::map<std::string, PersistentFile> zrams_;  // by device
    bool zswap_was_empty_ = false;
};

}  // namespace tmm::os
