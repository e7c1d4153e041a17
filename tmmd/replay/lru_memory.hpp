// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LruMemory: which references miss in an LRU memory whose size changes. What such a memory holds is at any time the top of the
// LRU stack: a miss adds a page, a smaller size cuts off the bottom, a larger size does not bring pages back. So one number is
// enough, and the stack positions that LruStack gives. Not thread-safe.
#pragma once

#include <algorithm>
#include <optional>

#include "tmmd/replay/lru_stack.hpp"

namespace tmm::replay {

class LruMemory {
public:
    explicit LruMemory(core::Pages size) : size_(size) {}

    // A reference to a page that was at place (nothing: a first use) and has this weight now. Whether it missed; a first use
    // always does.
    bool touch(const std::optional<core::LruStack::Place>& place, core::Pages weight) {
        const bool hit = place && holds(*place);
        if (hit)
            resident_ -= core::Pages(place->weight);
        resident_ = std::min(resident_ + weight, size_);
        return !hit;
    }

    // The page at place went away for good.
    void remove(const core::LruStack::Place& place) {
        if (holds(place))
            resident_ -= core::Pages(place.weight);
    }

    void resize(core::Pages size) {
        size_ = size;
        resident_ = std::min(resident_, size);
    }

    [[nodiscard]] core::Pages resident() const { return resident_; }

private:
    [[nodiscard]] bool holds(const core::LruStack::Place& place) const {
        return place.above + core::Pages(place.weight) <= resident_;
    }

    core::Pages size_;
    core::Pages resident_{0};
};

}  // namespace tmm::replay
