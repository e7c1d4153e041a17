// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes a replay: each three bytes are one record.
#include <cmath>

#include "fuzz/fuzz.hpp"
#include "tmmd/replay/report.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tmm;
    if (size < 1)
        return 0;
    replay::Parameters parameters;
    parameters.epoch_us = 1000;
    parameters.sample_shift = data[0] & 3;
    parameters.memory = core::Pages(1 + (data[0] >> 2));
    parameters.exact = (data[0] & 128) != 0;
    parameters.policy.objective = (data[0] & 64) != 0 ? core::Objective::paper : core::Objective::reuse;
    parameters.policy.ageing.period = core::Seconds(0.002);
    replay::Replay replay(parameters);
    trace::Record record;
    constexpr std::size_t max_bytes = 200;
    for (std::size_t i = 1; i + 2 < size && i < max_bytes; i += 3) {
        record.t_us += data[i] * 4U;
        record.page = data[i + 1] & 63;
        record.weight = (data[i + 1] & 64) != 0 ? 1 : 512;
        record.page_class = (data[i + 1] & 128) != 0 ? trace::PageClass::transparent : trace::PageClass::opaque;
        record.kind = data[i + 2] < 16   ? trace::RecordKind::freed
                      : data[i + 2] < 32 ? trace::RecordKind::evicted
                                         : trace::RecordKind::referenced;
        replay.add(record);
    }
    const replay::Outcome outcome = std::move(replay).finish();
    TMM_REQUIRE(outcome.achieved_beta >= 1 && std::isfinite(outcome.achieved_beta));
    TMM_REQUIRE(outcome.misses_at_limit >= outcome.misses_all_memory);
    TMM_REQUIRE(outcome.need <= parameters.memory);
    for (const replay::LimitChange& change : outcome.limits)
        TMM_REQUIRE(change.opaque_pages <= parameters.memory);
    for (const replay::Form form : {replay::Form::text, replay::Form::json, replay::Form::csv})
        TMM_REQUIRE(!replay::format_outcome(outcome, parameters, form).empty());
    return 0;
}
