// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/soft/soft_shares.hpp"

namespace tmm::core {

bool weigh(SoftShares& shares, uid_t user, std::uint32_t weight) {
    if (weight == usual_soft_weight) {
        shares.weights.erase(user);
        return true;
    }
    if (shares.weights.size() >= max_weighed_users && !shares.weights.contains(user))
        return false;
    shares.weights[user] = weight;
    return true;
}

}  // namespace tmm::core
