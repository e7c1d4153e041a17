// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/reason.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tmm::core {

namespace {

constexpr std::uint64_t visible_part = 200;  // of all memory
constexpr double visible_share = 0.0005;     // 0.05 %: sentences show 0.1 %
constexpr double visible_rate = 0.05;        // a second: sentences show 0.1/s

bool alike(Pages one, Pages other, Pages total) {
    const Pages difference = std::max(one, other) - std::min(one, other);
    return difference <= total / visible_part;
}

bool alike(double one, double other, double visible) {
    return std::abs(one - other) < visible;
}

template <typename Value, typename Scale>
bool alike(const std::optional<Value>& one, const std::optional<Value>& other, Scale scale) {
    return one && other ? alike(*one, *other, scale) : one.has_value() == other.has_value();
}

// Returns the reason without the quantities that alike() compares by size.
Reason words_of(Reason reason) {
    reason.total = reason.need = reason.opaque_limit = reason.allowed = reason.swap = reason.lack = Pages(0);
    reason.expected_misses_per_s.reset();
    reason.cap.reset();
    reason.stall = 0;
    return reason;
}

}  // namespace

std::string_view name_of(ReasonCode code) {
    constexpr std::array<std::string_view, 15> names{
        "learning", "measured",          "corrected",   "no-samples",      "off",
        "paused",   "paused-for-a-time", "quiet-hours", "on-battery",      "mains-unknown",
        "in-use",   "presence-unknown",  "pressure",    "compressed-swap", "lack"};
    return names[static_cast<std::size_t>(code)];
}

bool alike(const Reason& one, const Reason& other) {
    const Pages total = std::max(one.total, other.total);
    return words_of(one) == words_of(other) && alike(one.total, other.total, total) && alike(one.need, other.need, total) &&
           alike(one.opaque_limit, other.opaque_limit, total) && alike(one.allowed, other.allowed, total) &&
           alike(one.cap, other.cap, total) && alike(one.swap, other.swap, total) && alike(one.lack, other.lack, total) &&
           alike(one.expected_misses_per_s, other.expected_misses_per_s, visible_rate) &&
           alike(one.stall, other.stall, visible_share);
}

}  // namespace tmm::core
