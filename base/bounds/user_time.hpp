// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// UserTime: bounds how long each user's things may take in one pass over them, one after the other. What one takes is no other's,
// so nobody's slow things stop the pass. Pure. Not thread-safe.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "base/bounds/user_budget.hpp"

namespace tmm {

class UserTime {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    // root_factor: root has so many times as much.
    explicit UserTime(std::chrono::microseconds per_user, std::size_t root_factor = 1)
        : microseconds_(static_cast<std::size_t>(per_user.count()), root_factor) {}

    // A thing of the user begins, and the one before ends. Returns whether it may: the user has time left.
    bool begin(uid_t user, TimePoint now) {
        end(now);
        if (!microseconds_.take(user))
            return false;
        under_way_ = {user, now};
        return true;
    }

    // The latest thing ends, with no other after it.
    void end(TimePoint now) {
        if (!under_way_)
            return;
        const auto [user, began] = *std::exchange(under_way_, std::nullopt);
        const auto took = std::chrono::duration_cast<std::chrono::microseconds>(now - began).count();
        microseconds_.take(user, std::min(static_cast<std::size_t>(took), microseconds_.left(user)));
    }

    // Those who wanted to begin with no time left.
    [[nodiscard]] const std::set<uid_t>& exceeded() const { return microseconds_.exceeded(); }

private:
    UserBudget microseconds_;
    std::optional<std::pair<uid_t, TimePoint>> under_way_;
};

}  // namespace tmm
