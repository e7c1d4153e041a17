// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageAdviser: has the kernel read swapped pages of a process (process_madvise(2), MADV_WILLNEED). The kernel asks for
// CAP_SYS_NICE, and for the permission to read the process (CAP_SYS_PTRACE). The call starts the reads and does not wait for
// them.
#pragma once

#include <sys/types.h>

#include <span>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/os/read_back/swapped_ranges.hpp"

namespace tmm::os {

class PageAdviser {
public:
    virtual ~PageAdviser() = default;

    // Returns a descriptor of the process. Error: it has ended.
    virtual Result<UniqueFd> open(pid_t pid) = 0;
    // Has the pages read. ranges: at most SwappedRanges::max_ranges. Error: ESRCH, the process has ended; ENOMEM,
    // a part of a range is mapped no more, and the rest may not be read; EPERM, see above.
    virtual Result<void> will_need(const UniqueFd& process, std::span<const AddressRange> ranges) = 0;
};

class KernelPageAdviser final : public PageAdviser {
public:
    Result<UniqueFd> open(pid_t pid) override;
    Result<void> will_need(const UniqueFd& process, std::span<const AddressRange> ranges) override;
};

}  // namespace tmm::os
