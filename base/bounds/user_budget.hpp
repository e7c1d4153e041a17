// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// UserBudget: how much each user may still take in one pass over things that users make without end. What one takes is no
// other's, so nobody's many things hide those of others. Pure. Not thread-safe.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace tmm {

class UserBudget {
public:
    // root_factor: root has so many times as much.
    explicit UserBudget(std::size_t per_user, std::size_t root_factor = 1) : per_user_(per_user), root_factor_(root_factor) {}

    [[nodiscard]] std::size_t left(uid_t user) const {
        const std::size_t all = user == 0 ? root_factor_ * per_user_ : per_user_;
        const auto taken = taken_.find(user);
        return taken == taken_.end() ? all : all - taken->second;
    }

    // Takes an amount, or nothing if less is left. Returns whether it did.
    bool take(uid_t user, std::size_t amount = 1) {
        if (left(user) < amount) {
            exceeded_.insert(user);
            return false;
        }
        taken_[user] += amount;
        return true;
    }

    // Those who wanted more than was left.
    [[nodiscard]] const std::set<uid_t>& exceeded() const { return exceeded_; }

private:
    std::size_t per_user_;
    std::size_t root_factor_;
    std::map<uid_t, std::size_t> taken_;
    std::set<uid_t> exceeded_;
};

// Returns "user 1000, user 1001", for messages about what was left out.
inline std::string names_of(const std::set<uid_t>& users) {
    std::string names;
    for (const uid_t user : users)
        names += (names.empty() ? "user " : ", user ") + std::to_string(user);
    return names;
}

}  // namespace tmm
