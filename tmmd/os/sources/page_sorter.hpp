// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageSorter: has the kernel sort the pages of cgroups by their last use (core/protection/sort_pace). The classic LRU cannot be
// asked. Called from one thread.
#pragma once

#include <span>

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

class PageSorter {
public:
    virtual ~PageSorter() = default;

    // Sorts the pages of these cgroups; one that was removed is left out. Takes time in proportion to their page tables. Error:
    // of the kernel, with the reason in words for people; some may be sorted.
    virtual Result<void> sort(std::span<const core::CgroupId> cgroups) = 0;
};

}  // namespace tmm::os
