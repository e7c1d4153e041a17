// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/donation.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace tmm::boinc {

namespace {

// Waiting for one of these reasons, tmmd does not freeze contributions: it only has no more for them than free memory.
bool gets_free_memory(const TmmdStatus& tmmd) {
    constexpr std::array<std::string_view, 4> words{"learning", "no-samples", "measured", "corrected"};
    return tmmd.state == "waiting" && std::find(words.begin(), words.end(), tmmd.reason) != words.end();
}

}  // namespace

Donation::State state_of(const TmmdStatus& tmmd) {
    if (!tmmd.is_there)
        return Donation::State::absent;
    if (tmmd.state == "giving" || gets_free_memory(tmmd))
        return Donation::State::giving;
    if (tmmd.state == "paused" || tmmd.state == "waiting")
        return Donation::State::paused;
    // In trouble no limit is in force. Later versions may have further words.
    return tmmd.state == "off" ? Donation::State::off : Donation::State::absent;
}

Donation donation_of(const TmmdStatus& tmmd, std::uint64_t tasks_bytes, bool are_transparent, std::uint64_t memory_bytes,
                     std::uint64_t outside_bytes) {
    Donation donation;
    if (!tmmd.is_there)
        return donation;
    donation.state = state_of(tmmd);
    donation.is_frozen =
        are_transparent && donation.state != Donation::State::giving && donation.state != Donation::State::absent;
    donation.has_open_end = tmmd.state == "paused" && tmmd.paused_until_us == std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t ours = are_transparent ? std::min(tasks_bytes, tmmd.transparent_bytes) : 0;
    const std::uint64_t others = tmmd.transparent_bytes - ours;
    const std::uint64_t limit = std::min(tmmd.limit_bytes, memory_bytes);
    donation.bytes = limit - std::min(limit, others);
    if (gets_free_memory(tmmd)) {
        // Of this, tmmd keeps as much free for the owner's programs.
        const std::uint64_t kept = memory_bytes / 50;
        const std::uint64_t free = tmmd.free_bytes - std::min(tmmd.free_bytes, kept);
        donation.bytes = std::max(donation.bytes, std::min(ours + outside_bytes + free, memory_bytes));
    }
    return donation;
}

Donation donation_of(const TmmdStatus& tmmd, const std::vector<MeasuredTask>& tasks, std::uint64_t memory_bytes) {
    std::uint64_t tasks_bytes = 0;
    std::uint64_t outside_bytes = 0;
    bool are_transparent = false;
    for (const MeasuredTask& measured : tasks) {
        are_transparent = are_transparent || measured.is_transparent;
        if (measured.is_measured)
            (measured.is_transparent ? tasks_bytes : outside_bytes) += measured.resident_bytes;
    }
    return donation_of(tmmd, tasks_bytes, are_transparent, memory_bytes, outside_bytes);
}

}  // namespace tmm::boinc
