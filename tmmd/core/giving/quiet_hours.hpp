// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// QuietHours: a part of every day, in local time. It may span midnight: "22:00-07:00". A plain value; pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm::core {

struct QuietHours {
    unsigned from = 0;  // minutes of the day, each below minutes_per_day; they differ
    unsigned to = 0;    // the first minute that is not quiet

    // Returns whether a minute of the day, below minutes_per_day, is quiet.
    [[nodiscard]] bool contains(unsigned local_minute) const;
    bool operator==(const QuietHours&) const = default;
};

// Parses "HH:MM-HH:MM" with two different times of a day. Error: EINVAL for other text.
Result<QuietHours> parse_quiet_hours(std::string_view text);

// Returns "HH:MM-HH:MM".
std::string format_quiet_hours(const QuietHours& hours);

}  // namespace tmm::core
