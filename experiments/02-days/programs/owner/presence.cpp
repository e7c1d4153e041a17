// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "presence.hpp"

#include <algorithm>

#include "random.hpp"

namespace tmm::days {
namespace {

constexpr std::uint32_t min_break = 120;

// Present from..to but for breaks.
void attend(const Owner& owner, std::uint32_t from, std::uint32_t to, Random& random, Trace& trace) {
    while (from < to) {
        std::uint32_t end = to;
        if (owner.break_every)
            end = std::min(to, from + as_second(*owner.break_every * (1 + 0.5 * random.around())) + 1);
        std::fill(trace.attended.begin() + from, trace.attended.begin() + end, 1);
        from = end + as_second(owner.break_for * (1 + 0.5 * random.around()));
    }
}

}  // namespace

void add_presence(const Owner& owner, std::uint64_t seed, Trace& trace) {
    Random random(seed, owner.name, "presence");
    trace.attended.assign(trace.seconds, 0);
    for (std::uint32_t midnight = 0; midnight < trace.seconds; midnight += seconds_per_day) {
        for (const Presence& presence : owner.presence[(midnight / seconds_per_day) % days_per_week]) {
            const std::uint32_t from = as_second(midnight + presence.from + owner.presence_jitter * random.around());
            const std::uint32_t to = as_second(midnight + presence.to + owner.presence_jitter * random.around());
            attend(owner, from, std::min(to, trace.seconds), random, trace);
        }
    }
    std::uint32_t away = 0;
    bool was_here = false;
    for (std::uint32_t second = 0; second < trace.seconds; ++second) {
        if (!trace.attended[second]) {
            ++away;
            continue;
        }
        if (was_here && away >= min_break)
            trace.returns.push_back(second);
        was_here = true;
        away = 0;
    }
}

}  // namespace tmm::days
