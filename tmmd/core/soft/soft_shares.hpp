// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SoftShares: the owner's bound of soft memory, and the weights of users in its division. Plain values; pure.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "base/quantity.hpp"

namespace tmm::core {

// A user with twice the weight may have twice as much, if both could use more.
inline constexpr std::uint32_t usual_soft_weight = 100;
inline constexpr std::uint32_t max_soft_weight = 10'000;
inline constexpr std::size_t max_weighed_users = 256;

struct SoftShares {
    std::optional<Bytes> max_bytes;          // of all heaps together; none: what the machine can spare
    std::map<uid_t, std::uint32_t> weights;  // in [1, max_soft_weight]; others have usual_soft_weight

    bool operator==(const SoftShares&) const = default;
};

// Gives the user that weight. Returns false if too many users have one already.
bool weigh(SoftShares& shares, uid_t user, std::uint32_t weight);

}  // namespace tmm::core
