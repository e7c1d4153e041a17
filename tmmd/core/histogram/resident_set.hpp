// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ResidentSet: compares two scans of resident memory. A scan lists every sampled page that is resident; the policy needs the
// referenced and the gone ones. Pure; not thread-safe.
#pragma once

#include <span>
#include <vector>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

// A resident opaque page, as a scan lists it.
struct ScannedPage {
    PageKey key = 0;
    std::uint32_t weight = 1;
    bool referenced = false;
    Backing backing = Backing::anonymous;
};

class ResidentSet {
public:
    // Returns the changes since the previous scan: pages referenced or new, by key, and pages gone. scan: in any order, each key
    // once. At the first call every page is new.
    EpochSample update(std::vector<ScannedPage> scan);

private:
    std::vector<PageKey> resident_;  // sorted
};

}  // namespace tmm::core
