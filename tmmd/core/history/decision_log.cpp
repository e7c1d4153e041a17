// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/history/decision_log.hpp"

#include <algorithm>
#include <iterator>

namespace tmm::core {

void DecisionLog::add(WallTime time, std::string_view kind, const Reason& reason) {
    if (!entries_.empty() && entries_.back().kind == kind && alike(entries_.back().reason, reason)) {
        entries_.back().last = time;
        ++entries_.back().count;
        return;
    }
    entries_.push_back({.first = time, .last = time, .count = 1, .kind = std::string(kind), .reason = reason});
    if (entries_.size() > capacity)
        entries_.pop_front();
}

std::vector<LoggedDecision> DecisionLog::newest(std::size_t max) const {
    const auto count = static_cast<std::ptrdiff_t>(std::min(max, entries_.size()));
    return {entries_.rbegin(), std::next(entries_.rbegin(), count)};
}

}  // namespace tmm::core
