// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LruMemory: tells which references miss in an LRU memory whose size changes. Such a memory always holds the top of the LRU
// stack. A miss adds a page, a smaller size cuts off the bottom, and a larger size brings no pages back. So one number and the
// stack positions of LruStack are enough. Pure; not thread-safe.
#pragma once

#include <algorithm>
#include <optional>

#include "tmmd/replay/lru/lru_stack.hpp"

namespace tmm::replay {

class LruMemory {
public:
    explicit LruMemory(core::Pages size) : size_(size) {}

    // References a page that was at place (none: a first use) and now has this weight. Returns whether it missed; a first use
    // always does.
    bool touch(const std::optional<core::LruStack::Place>& place, core::Pages weight) {
        const bool hit = place && holds(*place);
        if (hit)
            resident_ -= core::Pages(place->weight);
        resident_ = std::min(resident_ + weight, size_);
        return !hit;
    }

    // Removes the page at place for good.
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
