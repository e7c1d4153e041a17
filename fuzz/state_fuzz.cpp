// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the files that keep the histogram, the usage history and the owner's settings: the wrapper and the texts.
#include "fuzz/fuzz.hpp"
#include "tmmd/config/owner_conf.hpp"
#include "tmmd/core/giving/giving.hpp"
#include "tmmd/core/history/usage_history.hpp"
#include "tmmd/core/policy/policy.hpp"
#include "tmmd/storage/state_file.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tmm;
    constexpr core::Pages memory(10'240);
    const std::string_view text = fuzz::text_of(data, size);
    (void)storage::unwrap_state(text);
    const auto whole = storage::unwrap_state(storage::wrap_state(text));
    TMM_REQUIRE(whole && *whole == text);

    core::UsageHistory history;
    if (history.restore_state(text)) {
        core::UsageHistory again;
        TMM_REQUIRE(again.restore_state(history.save_state()).has_value());
        for (const core::UsageRow& row : history.rows(core::Resolution::minutes))
            TMM_REQUIRE(row.observed.count() > 0);
    }
    if (const auto settings = config::parse_settings(text, "fuzz")) {
        const auto again = config::parse_settings(config::format_settings(*settings), "fuzz");
        TMM_REQUIRE(again && again->caps == settings->caps && again->on == settings->on);
        core::Giving giving;
        giving.restore(*settings, {});
        (void)giving.step({}, {});
    }

    core::Policy policy({}, memory);
    if (!policy.restore_state(text))
        return 0;
    core::Policy again({}, memory);
    TMM_REQUIRE(again.restore_state(policy.save_state()).has_value());
    for (const core::Objective objective : {core::Objective::reuse, core::Objective::paper}) {
        core::PolicyParameters parameters;
        parameters.objective = objective;
        policy.set_parameters(parameters);
        const core::Decision decision = policy.step({}, {.total = memory, .opaque = memory / 2, .transparent = core::Pages(0)},
                                                    core::AwakeTime(std::chrono::seconds(1)));
        TMM_REQUIRE(decision.opaque_limit <= memory);
    }
    return 0;
}
