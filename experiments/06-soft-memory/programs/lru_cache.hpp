// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LruCache: an exact LRU of units, which may change its size. Units have numbers from 0 on, and a size each. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tmm::soft_memory {

class LruCache {
public:
    explicit LruCache(std::vector<std::uint32_t> unit_bytes)
        : unit_bytes_(std::move(unit_bytes)),
          links_(unit_bytes_.size() + 1),
          is_in_(unit_bytes_.size(), false),
          head_(static_cast<std::uint32_t>(unit_bytes_.size())) {
        links_[head_] = {head_, head_};
    }

    // Shrinks at once.
    void resize(std::uint64_t bytes) {
        capacity_bytes_ = bytes;
        make_room(0);
    }
    // Returns whether the unit is there. It is afterwards, if there is room for it.
    bool use(std::uint32_t unit) {
        const bool hit = is_in_[unit];
        if (hit)
            remove(unit);
        else if (unit_bytes_[unit] <= capacity_bytes_)
            make_room(unit_bytes_[unit]);
        else
            return false;
        insert(unit);
        return hit;
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    struct Link {
        std::uint32_t before;
        std::uint32_t after;
    };
    void make_room(std::uint64_t bytes) {
        while (bytes_ + bytes > capacity_bytes_)
            remove(links_[head_].before);
    }
    void remove(std::uint32_t unit) {
        const Link link = links_[unit];
        links_[link.before].after = link.after;
        links_[link.after].before = link.before;
        is_in_[unit] = false;
        bytes_ -= unit_bytes_[unit];
    }
    void insert(std::uint32_t unit) {
        const std::uint32_t first = links_[head_].after;
        links_[unit] = {head_, first};
        links_[first].before = unit;
        links_[head_].after = unit;
        is_in_[unit] = true;
        bytes_ += unit_bytes_[unit];
    }

    std::vector<std::uint32_t> unit_bytes_;
    std::vector<Link> links_;  // a ring through head_; the latest after it
    std::vector<bool> is_in_;
    std::uint32_t head_;
    std::uint64_t bytes_ = 0;
    std::uint64_t capacity_bytes_ = 0;
};

}  // namespace tmm::soft_memory
