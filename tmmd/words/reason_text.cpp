// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/words/reason_text.hpp"

#include "base/units.hpp"

namespace tmm::words {

namespace {

using core::Reason;
using core::ReasonCode;

std::string percent(double share, int digits) {
    return format_fixed(100 * share, digits) + " %";
}

std::string of_the_policy(const Reason& reason, Bytes page_bytes) {
    const auto bytes = [&](core::Pages pages) { return format_bytes(core::to_bytes(pages, page_bytes).count()); };
    std::string text = "opaque programs need " + bytes(reason.need) + " of " + bytes(reason.total) + ", limit " +
                       bytes(reason.opaque_limit) + "; contributions are allowed " + bytes(reason.allowed);
    if (reason.cap)
        text += " by a cap";
    if (reason.expected_misses_per_s)
        text += "; expected misses " + format_fixed(*reason.expected_misses_per_s, 1) + "/s";
    if (reason.code == ReasonCode::corrected)
        text += "; corrected at once, since misses exceeded the goal";
    else if (reason.histogram_kept)
        text += "; nobody used the machine, histogram kept";
    return text;
}

std::string of_the_settings(const Reason& reason, Bytes page_bytes) {
    switch (reason.code) {
        case ReasonCode::off:
            return "switched off: nothing is given until it is switched on";
        case ReasonCode::paused:
            return "paused: nothing is given until resumed";
        case ReasonCode::paused_for_a_time:
            return "paused for a time: nothing is given until then";
        case ReasonCode::quiet_hours:
            return "nothing is given from " + reason.quiet_hours;
        case ReasonCode::on_battery:
            return "waits for mains power";
        case ReasonCode::mains_unknown:
            return "cannot tell whether the machine is on mains power; nothing is given without it";
        case ReasonCode::in_use:
            return "waits until nobody has used the machine for " + format_fixed(reason.idle_after.count() / 60, 0) + " min";
        case ReasonCode::presence_unknown:
            return "cannot tell whether anybody uses the machine; nothing is given while it is in use";
        case ReasonCode::pressure:
            if (reason.for_a_moment)
                return "opaque programs wait for memory: contributions are frozen for a moment";
            return "opaque programs waited for memory in " + percent(reason.stall, 0) +
                   " of a minute: contributions are frozen until that is over";
        case ReasonCode::compressed_swap:
            return "swap is kept in memory, compressed, and takes " +
                   format_bytes(core::to_bytes(reason.swap, page_bytes).count()) +
                   ": contributions are frozen, or opaque programs would have too little";
        case ReasonCode::lack:
            return "opaque programs lack " + format_bytes(core::to_bytes(reason.lack, page_bytes).count()) +
                   " that they need: contributions are frozen while it is evicted from them";
        case ReasonCode::no_samples:
            return "this kernel does not show which memory is used: opaque programs keep all that they have, contributions get "
                   "only free memory";
        default:
            return "learning the needs of opaque programs; contributions get only free memory";
    }
}

}  // namespace

std::string sentence(const Reason& reason, Bytes page_bytes) {
    if (reason.code == ReasonCode::measured || reason.code == ReasonCode::corrected)
        return of_the_policy(reason, page_bytes);
    return of_the_settings(reason, page_bytes) + (reason.by_administrator ? " (tmmd.conf)" : "");
}

}  // namespace tmm::words
