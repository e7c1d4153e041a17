// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LruCache: an exact LRU of units, which may change its size. Units have numbers from 0 on. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tmm::soft_memory {

class LruCache {
public:
    explicit LruCache(std::uint32_t nr_units) : links_(nr_units + 1), is_in_(nr_units, false), head_(nr_units) {
        links_[head_] = {head_, head_};
    }

    // Shrinks at once.
    void resize(std::size_t units) {
        capacity_ = units;
        while (size_ > capacity_)
            remove(links_[head_].before);
    }
    // Returns whether the unit is there. It is afterwards, if there is room for one.
    bool use(std::uint32_t unit) {
        const bool hit = is_in_[unit];
        if (hit)
            remove(unit);
        else if (size_ == capacity_ && size_ > 0)
            remove(links_[head_].before);
        if (size_ < capacity_)
            insert(unit);
        return hit;
    }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    struct Link {
        std::uint32_t before;
        std::uint32_t after;
    };
    void remove(std::uint32_t unit) {
        const Link link = links_[unit];
        links_[link.before].after = link.after;
        links_[link.after].before = link.before;
        is_in_[unit] = false;
        --size_;
    }
    void insert(std::uint32_t unit) {
        const std::uint32_t first = links_[head_].after;
        links_[unit] = {head_, first};
        links_[first].before = unit;
        links_[head_].after = unit;
        is_in_[unit] = true;
        ++size_;
    }

    std::vector<Link> links_;  // a ring through head_; the latest after it
    std::vector<bool> is_in_;
    std::uint32_t head_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace tmm::soft_memory
