// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The machine's soft memory at one moment.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "softlib/pool_statistics.hpp"
#include "src/counters/smaps.hpp"

namespace soft::top {

struct Pool {
    std::string name;
    pool_statistics statistics;
};

struct HeapOfProcess {
    std::uint32_t id = 0;
    std::uint64_t limit_bytes = 0;
    std::uint64_t segment_bytes = 0;
    std::uint64_t live_bytes = 0;
    std::uint64_t offered_bytes = 0;
    detail::MappedMemory mapped;
    std::vector<Pool> pools;
};

struct Process {
    pid_t pid = 0;
    std::string command;
    std::vector<HeapOfProcess> heaps;
    /// Why nothing can be shown; empty if something can.
    std::string trouble;
};

struct Snapshot {
    std::vector<Process> processes;
    /// Number of processes that may not be read.
    std::size_t hidden = 0;
};

}  // namespace soft::top
