// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// For tests of Giving: a policy that gives 6,000 of 10,000 pages, and time.
#pragma once

#include <gtest/gtest.h>

#include <chrono>

#include "tmmd/core/giving/giving.hpp"

namespace tmm::core {

inline Reason policys_reason() {
    Reason reason;
    reason.code = ReasonCode::measured;
    reason.total = Pages(10'000);
    reason.opaque_limit = Pages(4'000);
    reason.allowed = Pages(6'000);
    return reason;
}

class GivingTest : public testing::Test {
protected:
    GivingTest() {
        inputs_.total = Pages(10'000);
        inputs_.page_bytes = Bytes(4096);
        inputs_.decision.kind = DecisionKind::measured;
        inputs_.decision.opaque_limit = Pages(4'000);
        inputs_.decision.transparent_limit = Pages(6'000);
        inputs_.decision.reason = policys_reason();
        now_.elapsed = ElapsedTime(std::chrono::hours(10));
        now_.awake = AwakeTime(std::chrono::hours(3));
        now_.wall = WallTime(std::chrono::hours(24 * 20'000));
        now_.local_minute = 12 * 60;
    }

    GivingDecision step() {
        inputs_.presence = people_.step(idle_for_, idle_after_, now_.awake);
        return giving_.step(inputs_, now_);
    }

    // Lets time pass while the machine is awake.
    void pass(std::chrono::nanoseconds time) {
        now_.awake += time;
        sleep_for(time);
    }
    void sleep_for(std::chrono::nanoseconds time) {
        now_.elapsed += time;
        now_.wall += std::chrono::duration_cast<std::chrono::microseconds>(time);
    }

    void expect_nothing_given(GivingKind kind) {
        const GivingDecision decision = step();
        EXPECT_EQ(decision.kind, kind);
        EXPECT_EQ(decision.hold, kind == GivingKind::waiting ? Hold::freeze : Hold::evict);
        EXPECT_EQ(decision.opaque_limit, Pages(10'000));
        EXPECT_EQ(decision.transparent_limit, Pages(0));
    }

    GivingInputs inputs_;
    std::optional<Seconds> idle_for_;
    Seconds idle_after_ = GivingParameters().idle_after;
    PresenceWatch people_;
    Moment now_;
    Giving giving_;
};

}  // namespace tmm::core
