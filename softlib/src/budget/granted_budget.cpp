// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/budget/granted_budget.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "coordinate/records.hpp"
#include "softlib/budget.hpp"
#include "src/reuse/reuse_sampler.hpp"

namespace soft::detail {

static_assert(std::endian::native == std::endian::little, "records are read as they are");

std::optional<GrantedMemory> parse_grant(std::string_view record, std::chrono::steady_clock::time_point now) noexcept {
    coordinate::grant grant{};
    if (record.size() != sizeof grant) {
        return std::nullopt;
    }
    std::memcpy(&grant, record.data(), sizeof grant);
    if (grant.header.version != coordinate::version || grant.header.kind != static_cast<std::uint32_t>(coordinate::kind::grant)) {
        return std::nullopt;
    }
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(grant.bytes, SIZE_MAX));
    return GrantedMemory{bytes, now + std::chrono::milliseconds(grant.valid_ms), grant.urgent != 0, grant.number};
}

std::size_t granted_budget(const std::optional<GrantedMemory>& grant, const OwnBudget& own, std::size_t held_bytes,
                           std::chrono::steady_clock::time_point now) noexcept {
    if (!grant || now >= grant->until) {
        return own.bytes;
    }
    const std::size_t lowest = grant->is_urgent ? 0 : held_bytes - std::min(held_bytes, max_budget_step);
    const std::size_t granted = std::max(grant->bytes, lowest);
    return own.gives_way ? std::min(granted, own.bytes) : granted;
}

void bound_reuses(coordinate::report& report, std::size_t bytes) noexcept {
    for (std::uint32_t i = coordinate::nr_buckets - 1; i > 0 && reuse_sampler::bucket_end(i - 1) >= bytes; --i) {
        report.first_uses_per_s += std::exchange(report.reuses_per_s[i], 0.0F);
    }
}

}  // namespace soft::detail
