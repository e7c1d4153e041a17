// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The file that keeps what was learned: the wrapper, and the text in it.
#include "fuzz/fuzz.hpp"
#include "tmmd/app/state_file.hpp"
#include "tmmd/core/policy.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tmm;
    constexpr core::Pages memory = 10'240;
    const std::string_view text = fuzz::text_of(data, size);
    (void)app::unwrap_state(text);
    const auto whole = app::unwrap_state(app::wrap_state(text));
    TMM_REQUIRE(whole && *whole == text);

    core::Policy policy({}, memory);
    if (!policy.restore_state(text))
        return 0;
    core::Policy again({}, memory);
    TMM_REQUIRE(again.restore_state(policy.save_state()).has_value());
    const core::Decision decision =
        policy.step({}, {.total = memory, .opaque = memory / 2, .transparent = 0}, std::chrono::seconds(1));
    TMM_REQUIRE(decision.opaque_limit <= memory);
    return 0;
}
