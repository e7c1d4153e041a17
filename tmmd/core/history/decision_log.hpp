// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// DecisionLog: keeps the latest decisions for people to read. Ones in a row that people would read the
// same are one entry. Pure; not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "tmmd/core/moment.hpp"
#include "tmmd/core/reason.hpp"

namespace tmm::core {

struct LoggedDecision {
    WallTime first{};
    WallTime last{};
    std::uint64_t count = 1;
    std::string kind;
    Reason reason;  // the first time
};

class DecisionLog {
public:
    static constexpr std::size_t capacity = 100;  // entries; beyond it the oldest are dropped

    // Adds a decision: as an entry, or to the count of the last one if it has the same kind and an alike reason.
    void add(WallTime time, std::string_view kind, const Reason& reason);

    // Returns at most max entries, the newest first.
    [[nodiscard]] std::vector<LoggedDecision> newest(std::size_t max) const;

private:
    std::deque<LoggedDecision> entries_;
};

}  // namespace tmm::core
