// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/reason.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tmm::core {
namespace {

Reason measured() {
    Reason reason;
    reason.code = ReasonCode::measured;
    reason.total = Pages(100'000);
    reason.need = Pages(30'000);
    reason.opaque_limit = Pages(35'000);
    reason.allowed = Pages(65'000);
    reason.expected_misses_per_s = 0.4;
    return reason;
}

TEST(Reason, EachCodeHasAWordOfItsOwn) {
    std::set<std::string> words;
    for (auto code = ReasonCode::learning; code <= ReasonCode::lack; code = static_cast<ReasonCode>(static_cast<int>(code) + 1))
        words.emplace(name_of(code));
    EXPECT_EQ(words.size(), static_cast<std::size_t>(ReasonCode::lack) + 1);
    EXPECT_EQ(name_of(ReasonCode::learning), "learning");
    EXPECT_EQ(name_of(ReasonCode::paused_for_a_time), "paused-for-a-time");
    EXPECT_EQ(name_of(ReasonCode::in_use), "in-use");
    EXPECT_EQ(name_of(ReasonCode::presence_unknown), "presence-unknown");
    EXPECT_EQ(name_of(ReasonCode::compressed_swap), "compressed-swap");
}

TEST(Reason, SmallChangesOfQuantitiesAreAlike) {
    Reason other = measured();
    EXPECT_TRUE(alike(measured(), other));
    other.need += Pages(500);  // 0.5 % of all memory
    other.allowed -= Pages(500);
    other.expected_misses_per_s = 0.43;
    EXPECT_TRUE(alike(measured(), other));
    other.need += Pages(1);
    EXPECT_FALSE(alike(measured(), other));
}

TEST(Reason, EachQuantityCounts) {
    const auto differs = [](auto change) {
        Reason other = measured();
        change(other);
        return !alike(measured(), other) && !alike(other, measured());
    };
    EXPECT_TRUE(differs([](Reason& r) { r.code = ReasonCode::corrected; }));
    EXPECT_TRUE(differs([](Reason& r) { r.total = Pages(90'000); }));
    EXPECT_TRUE(differs([](Reason& r) { r.opaque_limit = Pages(36'000); }));
    EXPECT_TRUE(differs([](Reason& r) { r.allowed = Pages(64'000); }));
    EXPECT_TRUE(differs([](Reason& r) { r.expected_misses_per_s = 0.5; }));
    EXPECT_TRUE(differs([](Reason& r) { r.expected_misses_per_s.reset(); }));
    EXPECT_TRUE(differs([](Reason& r) { r.histogram_kept = true; }));
    EXPECT_TRUE(differs([](Reason& r) { r.cap = Pages(65'000); }));
    EXPECT_TRUE(differs([](Reason& r) { r.by_administrator = true; }));
    EXPECT_TRUE(differs([](Reason& r) { r.quiet_hours = "22:00-07:00"; }));
    EXPECT_TRUE(differs([](Reason& r) { r.idle_after = Seconds(60); }));
    EXPECT_TRUE(differs([](Reason& r) { r.stall = 0.1; }));
    EXPECT_TRUE(differs([](Reason& r) { r.swap = Pages(1'000); }));
    EXPECT_TRUE(differs([](Reason& r) { r.lack = Pages(1'000); }));
    EXPECT_TRUE(differs([](Reason& r) { r.for_a_moment = true; }));
}

}  // namespace
}  // namespace tmm::core
