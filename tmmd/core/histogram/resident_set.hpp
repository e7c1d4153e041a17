// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ResidentSet: what changed between two scans of resident memory. A scan lists every sampled page that is resident; the policy
// wants those referenced and those gone. Not thread-safe.
#pragma once

#include <span>
#include <vector>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

// A resident opaque page as a scan found it.
struct ScannedPage {
    PageKey key = 0;
    std::uint32_t weight = 1;
    bool referenced = false;
    Backing backing = Backing::anonymous;
};

class ResidentSet {
public:
    // Takes over the pages of a new scan (in any order, each key once) and says what happened since the one before: referenced or
    // new pages, and pages no longer there. At the first call every page is new:
    // it takes stock.
    EpochSample update(std::vector<ScannedPage> scan);

private:
    std::vector<PageKey> resident_;  // sorted
    bool begun_ = false;
};

}  // namespace tmm::core
