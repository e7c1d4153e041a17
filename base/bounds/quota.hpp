// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Quota: bounds how many things are under way at once, for each key and in all. A thing counts until the last copy of its ticket
// is destroyed; a ticket may outlive the quota. Pure. Not thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace tmm {

template <typename Key>
class Quota {
    struct Counts {
        std::map<Key, std::size_t> of_key;
        std::size_t all = 0;
    };

public:
    // Counts one thing while it exists.
    class Taken {
    public:
        Taken(std::shared_ptr<Counts> counts, Key key) : counts_(std::move(counts)), key_(std::move(key)) {
            ++counts_->of_key[key_];
            ++counts_->all;
        }
        Taken(const Taken&) = delete;
        Taken& operator=(const Taken&) = delete;
        ~Taken() {
            --counts_->all;
            const auto found = counts_->of_key.find(key_);
            if (--found->second == 0)
                counts_->of_key.erase(found);
        }

    private:
        std::shared_ptr<Counts> counts_;
        Key key_;
    };
    using Ticket = std::shared_ptr<const Taken>;

    Quota(std::size_t max_per_key, std::size_t max) : max_per_key_(max_per_key), max_(max) {}

    // Returns a ticket for one more thing, or an empty one if either bound is reached.
    Ticket take(const Key& key) const {
        const auto found = counts_->of_key.find(key);
        if (counts_->all >= max_ || (found != counts_->of_key.end() && found->second >= max_per_key_))
            return nullptr;
        return std::make_shared<const Taken>(counts_, key);
    }

private:
    std::size_t max_per_key_;
    std::size_t max_;
    std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

}  // namespace tmm
