// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SwapMemory: reads how much memory swapped pages take: zram and zswap keep them in memory, compressed. Called from one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/giving/holds/swap_room.hpp"
#include "tmmd/os/reading/counters/persistent_file.hpp"

namespace tmm::os {

class SwapMemory {
public:
    // root must outlive it.
    explicit SwapMemory(const RootDir& root);

    // Returns the memory that swapped pages of all processes take, and their number: mm_stat of the zram devices used for swap,
    // and Zswap and Zswapped of /proc/meminfo. For a call every second, it keeps the files open and skips those that can hold
    // nothing. Error: one of the files cannot be read or makes no sense.
    Result<core::SwapInMemory> read();

private:
    struct Sizes {
        std::uint64_t taken = 0;   // bytes
        std::uint64_t stored = 0;  // bytes
    };
    Result<Sizes> read_zram(const std::string& device);
    Result<Sizes> read_zswap();

    const RootDir& root_;
    PersistentFile swaps_;
    PersistentFile zswap_enabled_;
    PersistentFile meminfo_;
    std::map<std::string, PersistentFile> zrams_;  // by device
    bool zswap_was_empty_ = false;
};

}  // namespace tmm::os
