// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Frame: a sampled page frame of the kernel's. A plain value.
#pragma once

#include <cstdint>

#include "tmmd/core/pages.hpp"

namespace tmm::os {

struct Frame {
    std::uint64_t pfn = 0;  // page frame number of the first base page
    core::Pages weight{1};  // pages that it stands for
};

}  // namespace tmm::os
