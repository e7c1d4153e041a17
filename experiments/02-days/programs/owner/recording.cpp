// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "recording.hpp"

#include <algorithm>
#include <cerrno>
#include <unordered_map>

#include "presence.hpp"
#include "store.hpp"

namespace tmm::days {
namespace {

constexpr std::uint64_t us_per_second = 1'000'000;
// A recording tells no use of processors. So much counts as use for the length of epochs.
constexpr float processors_in_use = 0.2F;

struct Units {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

std::uint32_t nr_units_for(const trace::Record& record, std::uint64_t unit_bytes) {
    return std::max(static_cast<std::uint32_t>(record.weight * page_bytes / unit_bytes), 1U);
}

}  // namespace

Result<Trace> read_recording(trace::TraceReader& reader, const Owner& owner, std::uint64_t seed) {
    Trace trace;
    trace.unit_bytes = owner.recorded_unit_bytes;
    trace.seconds = as_second(owner.length);
    trace.activity.assign(trace.seconds, 0);
    add_presence(owner, seed, trace);
    std::unordered_map<core::PageKey, Units> known;
    std::uint32_t in_use_from = 0;  // the references of an epoch have the time of its end
    trace::Record record;
    for (;;) {
        const auto more = reader.next(record);
        if (!more)
            return more.error();
        const std::uint64_t second = record.t_us / us_per_second;
        if (!*more || second >= trace.seconds)
            return trace;
        if (record.page_class == trace::PageClass::transparent)
            continue;
        const bool frees = record.kind != trace::RecordKind::referenced;
        auto page = known.find(record.page);
        if (page == known.end()) {
            if (frees)
                continue;
            page = known.emplace(record.page, Units{trace.nr_units(), nr_units_for(record, trace.unit_bytes)}).first;
            if (trace.is_file.size() + page->second.count >= max_units)
                return Error(EINVAL, "the recording has too many pages");
            trace.is_file.resize(trace.is_file.size() + page->second.count, 0);
        }
        const Units units = page->second;
        for (std::uint32_t unit = units.first; unit < units.first + units.count; ++unit)
            trace.events.push_back(
                {.second = static_cast<std::uint32_t>(second), .unit = unit, .frees = frees ? 1U : 0U, .waits = frees ? 0U : 1U});
        if (trace.events.size() > max_events)
            return Error(EINVAL, "the recording has too many touches");
        if (frees)
            known.erase(page);
        for (; in_use_from <= second; ++in_use_from)
            trace.activity[in_use_from] = processors_in_use;
    }
}

}  // namespace tmm::days
