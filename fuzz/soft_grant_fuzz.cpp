// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the records that a heap of soft memory takes for tmmd's, and the budget that it follows then.
#include <algorithm>
#include <chrono>

#include "fuzz/fuzz.hpp"
#include "softlib/budget.hpp"
#include "src/budget/granted_budget.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace soft::detail;
    const std::chrono::steady_clock::time_point now{std::chrono::hours(1)};
    const auto grant = parse_grant(tmm::fuzz::text_of(data, size), now);
    if (!grant)
        return 0;
    TMM_REQUIRE(grant->until >= now);
    constexpr std::size_t gibibyte = std::size_t{1} << 30;
    for (const std::size_t held : {std::size_t{0}, gibibyte, SIZE_MAX}) {
        const std::size_t calm = granted_budget(grant, {gibibyte / 2, false}, held, now);
        const std::size_t pressed = granted_budget(grant, {gibibyte / 2, true}, held, now);
        TMM_REQUIRE(pressed <= gibibyte / 2);
        TMM_REQUIRE(pressed <= calm);
        if (now < grant->until)
            TMM_REQUIRE(calm == std::max(grant->bytes, grant->is_urgent ? 0 : held - std::min(held, soft::max_budget_step)));
        else
            TMM_REQUIRE(calm == gibibyte / 2);
        TMM_REQUIRE(granted_budget(grant, {gibibyte / 2, false}, held, grant->until) == gibibyte / 2);
    }
    return 0;
}
