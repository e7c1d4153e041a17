// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "tmmd/replay/replay.hpp"
#include "workload.hpp"

namespace tmm::histogram {
namespace {

// Work, 72 hours in which only daemons and clocks touch pages, and work again: nothing may drift.
TEST(Idle, ThreeDaysOfNoiseDoNotMoveTheLimit) {
    constexpr Shape shape{.memory_pages = 16'384, .visits_per_s = 500, .seconds = 2400, .seed = 1};
    replay::Parameters parameters;
    parameters.epoch_us = 30'000'000;  // an idle machine has even longer epochs
    parameters.memory = core::Pages(shape.memory_pages);
    replay::Replay replay(parameters);
    workload_named("idle")->generate(shape, [&](const Visit& visit) { replay.add({.t_us = visit.t_us, .page = visit.page}); });
    const replay::Outcome outcome = std::move(replay).finish();

    // The period before the break is still averaged in.
    const double settled_s = shape.seconds / 2 + parameters.policy.ageing.period.count();
    const double break_end_s = shape.seconds / 2 + idle_s;
    core::Pages before = parameters.memory;
    for (const replay::LimitChange& change : outcome.limits) {
        const double t_s = static_cast<double>(change.t_us) / 1e6;
        if (t_s <= settled_s)
            before = change.opaque_pages;
        else
            EXPECT_GT(t_s, break_end_s) << change.opaque_pages << " pages: " << core::name_of(change.reason.code);
    }
    EXPECT_LT(before, parameters.memory) << "something was learned";
    const auto share = [&](core::Pages pages) { return ratio(pages, parameters.memory); };
    EXPECT_NEAR(share(outcome.limits.back().opaque_pages), share(before), 0.02) << "the same work needs the same memory";
    EXPECT_LE(outcome.achieved_beta, 1.05);
}

}  // namespace
}  // namespace tmm::histogram
