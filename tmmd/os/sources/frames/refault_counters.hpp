// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// RefaultCounters: counts evicted and returned opaque pages on a kernel without TMM. Such a kernel does not tell how long a
// returned page was gone, so it may be any of those that are gone: evicted, and not back. Some calls see no more of a
// contribution's counters than the last one, and what it evicts and reads back itself then looks opaque. So what looks opaque
// counts one call later, less what the contributions have then counted in excess of the machine. Called from one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/os/reading/counters/vmstat_delta.hpp"
#include "tmmd/os/sources/frames/frame_scanner.hpp"

namespace tmm::os {

class RefaultCounters {
public:
    // root must outlive it.
    explicit RefaultCounters(const RootDir& root);

    // Returns one count of all pages that returned between the last two calls; none at the first two. Its unit are the pages that
    // were gone. Error: as of VmstatDelta.
    Result<RefaultCounts> poll(const std::vector<std::string>& transparent_cgroups);

private:
    VmstatDelta<4> counters_;
    VmstatDelta<4>::Changes last_{};
    std::uint64_t evictions_ = 0;
    std::uint64_t gone_ = 0;  // evicted since the first call, and not back
    std::uint64_t refaults_ = 0;
};

}  // namespace tmm::os
