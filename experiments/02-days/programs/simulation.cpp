// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "simulation.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::days {

namespace {

double largest(const std::vector<double>& waited, std::uint32_t span) {
    double worst = 0;
    for (std::size_t from = 0; from < waited.size(); from += span) {
        double sum = 0;
        for (std::size_t second = from; second < std::min(from + span, waited.size()); ++second)
            sum += waited[second];
        worst = std::max(worst, sum);
    }
    return worst;
}

}  // namespace

Outcome simulate(const Trace& trace, const Machine& machine, System& system, const std::function<void(const Progress&)>& watch,
                 std::uint32_t watch_every) {
    constexpr std::uint32_t minute = 60;
    const std::uint64_t pages = machine.unit_bytes / page_bytes;
    const auto unit_pages = static_cast<double>(pages);
    LruMemory memory(trace.is_file, machine.capacity, machine.store.compressed, machine.cgroup_of);
    if (!machine.contributions)
        memory.leave_unused();
    Outcome outcome;
    std::vector<double> waited(trace.seconds, 0);
    std::array<std::uint32_t, nr_rules> rules{};
    double limits = 0;
    double refaulted = 0;
    auto event = trace.events.begin();
    for (std::uint32_t second = 0; second < trace.seconds; ++second) {
        Second seen{.second = second,
                    .waited = 0,
                    .activity = trace.activity[second],
                    .attended = trace.attended[second] != 0,
                    .evicted = {}};
        for (; event != trace.events.end() && event->second == second; ++event) {
            if (event->frees != 0) {
                memory.free(event->unit);
                system.freed(event->unit);
                continue;
            }
            const LruMemory::Touch touch = memory.touch(event->unit, second);
            system.touched(event->unit, touch);
            if (touch.outcome != LruMemory::Outcome::refault)
                continue;
            const bool file = trace.is_file[event->unit] != 0;
            const double cost = unit_pages * (file ? machine.store.file_s : machine.store.anonymous_s);
            refaulted += unit_pages;
            seen.waited += cost;
            if (trace.owner_waits(*event))
                waited[second] += cost;
        }
        seen.evicted = memory.take_evicted();
        system.tick(seen, memory);
        limits += memory.limit();
        outcome.donated += memory.donated();
        outcome.waited += waited[second];
        ++rules[static_cast<std::size_t>(system.rule())];
        if (watch && second % watch_every == watch_every - 1)
            watch({second + 1, memory.limit(), memory.resident(), outcome.waited, system.rule()});
    }
    outcome.limit_mean = limits / std::max(trace.seconds, 1U);
    outcome.misses = static_cast<std::uint64_t>(std::llround(refaulted));
    outcome.worst_minute = largest(waited, minute);
    outcome.worst_day = largest(waited, seconds_per_day);
    outcome.returns = after_returns(trace, waited);
    for (std::size_t rule = 0; rule < nr_rules; ++rule)
        outcome.rules[rule] = static_cast<double>(rules[rule]) / std::max(trace.seconds, 1U);
    return outcome;
}

double percentile(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

}  // namespace tmm::days
