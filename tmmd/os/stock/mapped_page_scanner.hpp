// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MappedPageScanner: scans the memory that opaque processes map, through the module tmm_mapped (kernel/dkms), on a kernel without
// TMM. Called from one thread.
//
// It differs from /dev/tmm in four points. It does not see memory that no process maps, such as files that programs only read
// (UnmappedFilesSource). A page that both classes map is opaque, whoever is charged. A process that is in a transparent cgroup,
// or below one, is left out as a whole. And the kernel does not tell how long a returned page was gone (RefaultCounters).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/os/stock/refault_counters.hpp"
#include "tmmd/os/tmm/frame_scanner.hpp"

struct tmm_mapped_scan;  // <linux/tmm_mapped.h>, which is not in the include path of all that include this

namespace tmm::os {

// Scans all processes in as many calls as it takes, and returns the words by rising frame, one for each. A frame that several
// processes map is used if one of them has used it. `call` performs TMM_MAPPED_SCAN and returns the ioctl's result, with errno.
// cgroups: inode numbers of the topmost transparent cgroups. Error: that of a call.
Result<std::vector<std::uint64_t>> scan_all_mapped(const std::function<int(tmm_mapped_scan&)>& call, std::uint32_t shift,
                                                   std::uint64_t seed, std::span<const std::uint64_t> cgroups);

class MappedPageScanner : public FrameScanner {
public:
    // root must outlive it. Error: ENODEV, the module is not loaded; no CAP_SYS_ADMIN; another process has the device open.
    static Result<MappedPageScanner> open(const RootDir& root);

    Result<std::vector<std::uint64_t>> scan(std::uint32_t shift, std::uint64_t seed) override;
    Result<RefaultCounts> poll_refaults(std::size_t nr_units) override;
    void follow(const std::vector<std::string>& transparent_cgroups) override { transparent_cgroups_ = transparent_cgroups; }
    [[nodiscard]] bool leaves_out_unmapped_files() const override { return true; }
    [[nodiscard]] std::string_view id() const override { return "module"; }
    [[nodiscard]] std::string_view name() const override { return "the module tmm_mapped"; }
    [[nodiscard]] std::string_view reason() const override { return "the kernel has no TMM patches"; }

private:
    MappedPageScanner(const RootDir& root, UniqueFd fd) : root_(&root), fd_(std::move(fd)), counters_(root) {}

    const RootDir* root_;
    UniqueFd fd_;
    RefaultCounters counters_;
    std::vector<std::string> transparent_cgroups_;
};

}  // namespace tmm::os
