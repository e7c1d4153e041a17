// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/holds/evict_pace.hpp"

#include <algorithm>

namespace tmm::core {

Bytes EvictPace::next(Bytes step, Seconds taken) {
    // One of twice the size takes twice as long at most.
    if (taken <= max_length / 2)
        step = step * 2;
    else if (taken > max_length)
        step = step / 2;
    return std::clamp(step, min_step, max_step);
}

}  // namespace tmm::core
