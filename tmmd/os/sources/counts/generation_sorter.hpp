// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// GenerationSorter: sorts pages by ageing the generations of the multi-gen LRU. Called from one thread.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "base/root_dir.hpp"
#include "tmmd/os/sources/counts/lru_gen_file.hpp"
#include "tmmd/os/sources/page_sorter.hpp"

namespace tmm::os {

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
