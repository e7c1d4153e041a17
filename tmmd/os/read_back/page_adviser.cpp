// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/read_back/page_adviser.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace tmm::os {

// Uses syscall(2): C++ cannot use <sys/pidfd.h> of glibc 2.36, which lacks extern "C".
Result<UniqueFd> KernelPageAdviser::open(pid_t pid) {
    UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    if (!process)
        return Error::from_errno(errno, "process " + std::to_string(pid));
    return process;
}

Result<void> KernelPageAdviser::will_need(const UniqueFd& process, std::span<const AddressRange> ranges) {
    std::array<iovec, SwappedRanges::max_ranges> vectors{};
    std::size_t count = 0;
    for (const AddressRange& range : ranges.first(std::min(ranges.size(), vectors.size()))) {
        // The address is one of the other process.
        vectors[count].iov_base = reinterpret_cast<void*>(range.begin);  // NOLINT(performance-no-int-to-ptr)
        vectors[count++].iov_len = range.end - range.begin;
    }
    if (::syscall(SYS_process_madvise, process.get(), vectors.data(), count, MADV_WILLNEED, 0) < 0)
        return Error::from_errno(errno, "process_madvise");
    return {};
}

}  // namespace tmm::os
