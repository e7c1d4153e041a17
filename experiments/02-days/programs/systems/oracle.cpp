// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "oracle.hpp"

#include <algorithm>

namespace tmm::days {

namespace {

constexpr std::uint32_t never = UINT32_MAX;

// So many choices of one cost, by how many seconds they free: lengths are whole seconds, so a count for each says all.
using Choices = std::vector<std::uint64_t>;

// Calls end_interval(unit, seconds, event) for each time between two touches of a unit. event: ends it; none: the end of all.
// Evicted in the second of its touch, a unit is there again at the end of that of the next.
template <typename EndInterval>
void for_each_interval(const Trace& trace, const EndInterval& end_interval) {
    std::vector<std::uint32_t> last(trace.nr_units(), never);
    for (const Event& event : trace.events) {
        if (last[event.unit] != never)
            end_interval(event.unit, event.second - last[event.unit], &event);
        last[event.unit] = event.frees != 0 ? never : event.second;
    }
    for (std::uint32_t unit = 0; unit < trace.nr_units(); ++unit) {
        if (last[unit] != never)
            end_interval(unit, trace.seconds - last[unit], nullptr);
    }
}

std::size_t kind_of(const Trace& trace, std::uint32_t unit) {
    return trace.is_file[unit] != 0 ? 1 : 0;
}

bool costs(const Trace& trace, const Event* end) {
    return end != nullptr && end->frees == 0 && trace.owner_waits(*end);
}

}  // namespace

Oracle::Oracle(const Trace& trace, const Machine& machine) {
    const std::uint64_t pages = machine.unit_bytes / page_bytes;
    const auto unit_pages = static_cast<double>(pages);
    cost_of_ = {unit_pages * machine.store.anonymous_s, unit_pages * machine.store.file_s};
    const double saved_of[2]{1 - machine.store.compressed, 1};  // of each unit-second, evicted
    Choices choices[2]{Choices(trace.seconds + 1), Choices(trace.seconds + 1)};
    double used = 0;
    for_each_interval(trace, [&](std::uint32_t unit, std::uint32_t length, const Event* end) {
        const std::size_t kind = kind_of(trace, unit);
        used += length;
        if (costs(trace, end))
            ++choices[kind][length];
        else
            free_ += length * saved_of[kind];
    });
    free_ += static_cast<double>(machine.capacity) * trace.seconds - used;

    choice_of_.fill(std::vector<std::uint32_t>(trace.seconds + 1, never));
    std::uint32_t length[2]{trace.seconds, trace.seconds};
    freed_.push_back(0);
    cost_.push_back(0);
    for (;;) {
        for (std::size_t kind = 0; kind < 2; ++kind) {
            while (length[kind] > 0 && choices[kind][length[kind]] == 0)
                --length[kind];
        }
        const auto worth = [&](std::size_t kind) { return length[kind] * saved_of[kind] / cost_of_[kind]; };
        const std::size_t best = worth(1) > worth(0) ? 1 : 0;
        if (length[best] == 0)
            break;
        const auto count = static_cast<double>(choices[best][length[best]]);
        choice_of_[best][length[best]] = static_cast<std::uint32_t>(freed_.size() - 1);
        freed_.push_back(freed_.back() + count * length[best] * saved_of[best]);
        cost_.push_back(cost_.back() + count * cost_of_[best]);
        --length[best];
    }
}

double Oracle::nr_taken(double waited) const {
    const auto after = std::upper_bound(cost_.begin(), cost_.end(), waited);
    const auto n = static_cast<std::size_t>(after - cost_.begin());
    if (n == 0)
        return 0;
    const double part = n < cost_.size() ? (waited - cost_[n - 1]) / (cost_[n] - cost_[n - 1]) : 0;
    return static_cast<double>(n - 1) + part;
}

double Oracle::donated(double waited) const {
    const double taken = nr_taken(waited);
    const auto whole = static_cast<std::size_t>(taken);
    const double part = taken - static_cast<double>(whole);
    return free_ + freed_[whole] + (part > 0 ? part * (freed_[whole + 1] - freed_[whole]) : 0);
}

std::vector<double> Oracle::returns(const Trace& trace, double waited) const {
    const double taken = nr_taken(waited);
    std::vector<double> waits(trace.seconds, 0);
    for_each_interval(trace, [&](std::uint32_t unit, std::uint32_t length, const Event* end) {
        const std::size_t kind = kind_of(trace, unit);
        if (costs(trace, end) && length > 0)
            waits[end->second] += cost_of_[kind] * std::clamp(taken - choice_of_[kind][length], 0.0, 1.0);
    });
    return after_returns(trace, waits);
}

}  // namespace tmm::days
