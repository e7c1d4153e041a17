// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PageSorter: has the kernel sort the pages of cgroups by their last use (core/protection/sort_pace). GenerationSorter does it by
// ageing the generations of the multi-gen LRU. The classic LRU cannot be asked. Called from one thread.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/stock/lru_gen_file.hpp"

namespace tmm::os {

class PageSorter {
public:
    virtual ~PageSorter() = default;

    // Sorts the pages of these cgroups; one that was removed is left out. Takes time in proportion to their page tables. Error:
    // of the kernel, with the reason in words for people; some may be sorted.
    virtual Result<void> sort(std::span<const core::CgroupId> cgroups) = 0;
};

class GenerationSorter : public PageSorter {
public:
    // root must outlive it.
    GenerationSorter(const RootDir& root, std::unique_ptr<LruGen> kernel) : root_(&root), kernel_(std::move(kernel)) {}

    Result<void> sort(std::span<const core::CgroupId> cgroups) override;

private:
    const RootDir* root_;
    std::unique_ptr<LruGen> kernel_;
};

}  // namespace tmm::os
