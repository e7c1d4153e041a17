// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageCgroups: tells the cgroup that a page frame is charged to, from /proc/kpagecgroup. Called from one thread.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

class PageCgroups {
public:
    // Error: no CAP_SYS_ADMIN, or a kernel without /proc/kpagecgroup.
    static Result<PageCgroups> open(const RootDir& root);

    // Returns the cgroup of each frame; unknown_cgroup: charged to none, or no memory. pfns: page frame numbers, rising. It costs
    // a read for each frame, or for a few that are close. Error: the file cannot be read.
    Result<std::vector<core::CgroupId>> look_up(std::span<const std::uint64_t> pfns) const;

private:
    PageCgroups(UniqueFd file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

    UniqueFd file_;
    std::string path_;  // for messages
};

}  // namespace tmm::os
