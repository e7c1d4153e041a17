// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Quota: how many things at once, for each key and in all. What was taken is given back when the last copy of its ticket is
// gone, which may outlive the quota. Pure; not thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace tmm::bus {

template <typename Key>
class Quota {
    struct Counts {
        std::map<Key, std::size_t> of_key;
        std::size_t all = 0;
    };

public:
    // One thing under way.
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

    Quota(std::size_t max_per_key, std::size_t most) : max_per_key_(max_per_key), max_(most) {}

    // Empty when either bound is reached.
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

}  // namespace tmm::bus
