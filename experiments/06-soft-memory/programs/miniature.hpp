// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Miniature: a cache of sampled keys that keeps softlib's order of eviction: the oldest goes, but one that was read since it was
// written is written again. Pure.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

namespace tmm::soft_memory {

class Miniature {
public:
    explicit Miniature(double capacity_bytes) : capacity_bytes_(capacity_bytes) {}

    // Returns whether the key is there. It is afterwards.
    bool use(std::uint64_t key, std::uint32_t bytes) {
        const auto found = entries_.find(key);
        if (found != entries_.end()) {
            found->second.is_read = true;
            return true;
        }
        entries_.emplace(key, Entry{bytes, false});
        oldest_first_.push_back(key);
        held_bytes_ += bytes;
        while (held_bytes_ > capacity_bytes_) {
            const auto oldest = entries_.find(oldest_first_.front());
            oldest_first_.pop_front();
            if (oldest->second.is_read) {
                oldest->second.is_read = false;
                oldest_first_.push_back(oldest->first);
                continue;
            }
            held_bytes_ -= oldest->second.bytes;
            entries_.erase(oldest);
        }
        return false;
    }

private:
    struct Entry {
        std::uint32_t bytes;
        bool is_read;
    };
    double capacity_bytes_;
    double held_bytes_ = 0;
    std::unordered_map<std::uint64_t, Entry> entries_;
    std::deque<std::uint64_t> oldest_first_;
};

}  // namespace tmm::soft_memory
