// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "oracle.hpp"

#include <algorithm>

namespace tmm::days {

namespace {

constexpr std::uint32_t never = UINT32_MAX;

// So many choices of one cost, by how many seconds they free: lengths are whole seconds, so a count for each says all.
using Choices = std::vector<std::uint64_t>;

}  // namespace

Oracle::Oracle(const Trace& trace, const Machine& machine) {
    const std::uint64_t pages = machine.unit_bytes / page_bytes;
    const auto unit_pages = static_cast<double>(pages);
    const double cost_of[2]{unit_pages * machine.store.anonymous_s, unit_pages * machine.store.file_s};
    const double saved_of[2]{1 - machine.store.compressed, 1};  // of each unit-second, evicted
    Choices choices[2]{Choices(trace.seconds + 1), Choices(trace.seconds + 1)};
    std::vector<std::uint32_t> last(trace.nr_units(), never);
    double used = 0;
    // Evicted in the second of its touch, it is there again at the end of that of the next.
    const auto end_interval = [&](std::uint32_t unit, std::uint32_t now, bool waits, bool to_the_end) {
        if (last[unit] == never)
            return;
        const std::size_t kind = trace.is_file[unit] != 0 ? 1 : 0;
        const std::uint32_t length = now - last[unit];
        used += length;
        if (waits && !to_the_end)
            ++choices[kind][length];
        else
            free_ += length * saved_of[kind];
    };
    for (const Event& event : trace.events) {
        end_interval(event.unit, event.second, trace.owner_waits(event), event.frees != 0);
        last[event.unit] = event.frees != 0 ? never : event.second;
    }
    for (std::uint32_t unit = 0; unit < trace.nr_units(); ++unit)
        end_interval(unit, trace.seconds, false, true);
    free_ += static_cast<double>(machine.capacity) * trace.seconds - used;

    std::uint32_t length[2]{trace.seconds, trace.seconds};
    freed_.push_back(0);
    cost_.push_back(0);
    for (;;) {
        for (std::size_t kind = 0; kind < 2; ++kind) {
            while (length[kind] > 0 && choices[kind][length[kind]] == 0)
                --length[kind];
        }
        const auto worth = [&](std::size_t kind) { return length[kind] * saved_of[kind] / cost_of[kind]; };
        const std::size_t best = worth(1) > worth(0) ? 1 : 0;
        if (length[best] == 0)
            break;
        const auto count = static_cast<double>(choices[best][length[best]]);
        freed_.push_back(freed_.back() + count * length[best] * saved_of[best]);
        cost_.push_back(cost_.back() + count * cost_of[best]);
        --length[best];
    }
}

double Oracle::donated(double waited) const {
    const auto after = std::upper_bound(cost_.begin(), cost_.end(), waited);
    const auto n = static_cast<std::size_t>(after - cost_.begin());
    if (n == 0)
        return free_;
    double freed = freed_[n - 1];
    if (n < cost_.size())
        freed += (freed_[n] - freed_[n - 1]) * (waited - cost_[n - 1]) / (cost_[n] - cost_[n - 1]);
    return free_ + freed;
}

}  // namespace tmm::days
