// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BackingLatency: measures what a miss costs (the paper's 2.5 ms): the number of reads from the backing stores of memory, and
// their time. It reads /proc/diskstats, /proc/swaps and /sys/block. Called from one thread.
//
// A read's time is from the request to its end, including waits for other reads; times of simultaneous reads add up. The kernel
// counts milliseconds, and on zram whole clock ticks: the mean of a few reads is inexact, that of many is right.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::os {

struct ReadStats {
    std::uint64_t reads = 0;
    std::chrono::nanoseconds time{0};
};

// Reads since the last call of BackingLatency::read_delta.
struct BackingReads {
    ReadStats anonymous_disk;  // swap areas, except those on zram
    ReadStats anonymous_zram;
    ReadStats file;  // all disks, without the reads of swap partitions there
};

// Counters of a block device. They only rise, except that milliseconds restarts at 2^32.
struct ReadCounters {
    std::uint64_t reads = 0;  // completed; after merging, so one may bring many pages
    std::uint64_t milliseconds = 0;
};

struct BlockDevice {
    unsigned major = 0;
    unsigned minor = 0;
    std::string name;  // "sda1", "nvme0n1p2", "dm-0"
    ReadCounters counters;
};

// Returns the devices of /proc/diskstats. It ignores columns that later kernels have appended. Pure. Error: with the line's
// number.
Result<std::vector<BlockDevice>> parse_diskstats(std::string_view text);

struct SwapArea {
    std::string path;
    bool is_file = false;  // or of a type that tells no device; else a partition or another block device
};

// Returns the areas of /proc/swaps. Pure. Error: with the line's number.
Result<std::vector<SwapArea>> parse_swaps(std::string_view text);

// Returns the swap areas of this machine; none with a kernel without swap. Error: /proc/swaps cannot be read or makes no sense.
Result<std::vector<SwapArea>> read_swap_areas(const RootDir& root);

// Returns the increase from before to now. Lower counters mean that the device went away and came back: then all of now is new.
// Pure.
ReadCounters counters_since(const ReadCounters& now, const ReadCounters& before);

class BackingLatency {
public:
    // root must outlive it.
    explicit BackingLatency(const RootDir& root) : root_(root) {}

    // Returns the reads since the last call; zeros at the first. A new device counts from its start.
    // - A disk counts as a file store if no other device is below it (dm, md and loop devices would count reads twice).
    // - Swap on dm or md counts as that device. The disks below it keep its reads, because those differ: they are merged, split,
    //   and shorter by the time of decryption.
    // - A swap file counts as the device of its file system, with all reads of files there: the kernel does not separate them. If
    //   the file system names no device (btrfs), or the file is out of sight, all disks stand for it.
    // - Without swap, or with a kernel without it, the anonymous ones stay 0.
    // Error: one of the files in /proc cannot be read or makes no sense.
    Result<BackingReads> read_delta();

private:
    const RootDir& root_;
    bool started_ = false;
    std::map<std::string, ReadCounters> counters_;  // by device name
};

}  // namespace tmm::os
