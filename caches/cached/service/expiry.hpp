// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Expiry times as memcached's clients send them, and the store's clock. Pure; thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tmm::caches {

// ServerTime: the present second of the store's clock, and the wall clock's second at which that clock was 0.
struct ServerTime {
    std::uint32_t now;
    std::int64_t started;
};

inline constexpr std::int64_t max_relative_expiry = std::int64_t{60} * 60 * 24 * 30;
// An item of this expiry has expired: the store's clock begins later.
inline constexpr std::uint32_t already_expired = 1;

// Returns a second of the store's clock, or 0 for never. sent: 0 is never; a negative time has passed; up to 30 days it counts
// from now; beyond, it is a second of the wall clock.
inline std::uint32_t expiry_from(std::int64_t sent, const ServerTime& time) {
    if (sent == 0)
        return 0;
    if (sent < 0)
        return already_expired;
    if (sent <= max_relative_expiry)
        return time.now + static_cast<std::uint32_t>(sent);
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(sent - time.started, already_expired, std::numeric_limits<std::uint32_t>::max()));
}

// Returns what expiry_from() takes for so many seconds from now, at least 1.
inline std::int64_t expiry_after(std::int64_t seconds, const ServerTime& time) {
    if (seconds <= max_relative_expiry)
        return seconds;
    return time.started + time.now + std::min<std::int64_t>(seconds, std::numeric_limits<std::uint32_t>::max());
}

}  // namespace tmm::caches
