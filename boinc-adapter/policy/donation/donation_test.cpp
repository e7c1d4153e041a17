// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/donation.hpp"

#include <gtest/gtest.h>

#include "boinc-adapter/policy/tasks/test_sizes.hpp"

namespace tmm::boinc {
namespace {

TEST(DonationOf, IsTheLimitWithoutTheMemoryOfOtherContributions) {
    const TmmdStatus giving{true, "giving", 10 * gib, 4 * gib, "measured", 0};
    EXPECT_EQ(donation_of(giving, gib, true, 16 * gib).bytes, 7 * gib);
    // Outside of transparent.slice, the tasks are none of the contributions.
    EXPECT_EQ(donation_of(giving, gib, false, 16 * gib).bytes, 6 * gib);
    EXPECT_EQ(donation_of(giving, 9 * gib, true, 16 * gib).bytes, 10 * gib);
    EXPECT_EQ(donation_of({true, "giving", gib, 4 * gib, "measured", 0}, 0, false, 16 * gib).bytes, 0U);
    EXPECT_EQ(donation_of({true, "giving", UINT64_MAX, 0, "measured", 0}, 0, false, 16 * gib).bytes, 16 * gib);
}

TEST(DonationOf, FollowsTheStateOfTmmd) {
    const auto state = [](const char* word) { return donation_of({true, word, gib, 0, "a word", 0}, 0, true, 16 * gib).state; };
    EXPECT_EQ(state("giving"), Donation::State::giving);
    EXPECT_EQ(state("paused"), Donation::State::paused);
    EXPECT_EQ(state("waiting"), Donation::State::paused);
    EXPECT_EQ(state("off"), Donation::State::off);
    EXPECT_EQ(state("trouble"), Donation::State::absent);
    EXPECT_EQ(state("a word of a later version"), Donation::State::absent);
    EXPECT_EQ(donation_of({}, 0, true, gib).state, Donation::State::absent);
    EXPECT_TRUE(donation_of({true, "off", gib, 0, "measured", 0}, 0, true, gib).is_frozen);
    EXPECT_FALSE(donation_of({true, "off", gib, 0, "measured", 0}, 0, false, gib).is_frozen);
}

TEST(DonationOf, IsFreeMemoryWhileTmmdHasNoMore) {
    constexpr std::uint64_t kept = 16 * gib / 50;
    for (const char* reason : {"no-samples", "learning", "measured", "corrected"}) {
        const TmmdStatus waiting{true, "waiting", 0, 3 * gib, reason, 5 * gib};
        const Donation inside = donation_of(waiting, 2 * gib, true, 16 * gib);
        EXPECT_EQ(inside.state, Donation::State::giving) << reason;
        EXPECT_FALSE(inside.is_frozen) << reason;
        EXPECT_EQ(inside.bytes, 7 * gib - kept) << reason;
        // Outside of transparent.slice, tmmd takes the tasks for the owner's programs: their memory is not free.
        EXPECT_EQ(donation_of(waiting, 0, false, 16 * gib, 4 * gib).bytes, 9 * gib - kept) << reason;
        EXPECT_EQ(donation_of({true, "waiting", 0, 0, reason, 0}, 0, true, 16 * gib).bytes, 0U) << reason;
    }
    for (const char* reason : {"pressure", "lack", "compressed-swap", "quiet-hours", "in-use", "a word of a later version"}) {
        const Donation held = donation_of({true, "waiting", 0, 3 * gib, reason, 5 * gib}, 2 * gib, true, 16 * gib);
        EXPECT_EQ(held.state, Donation::State::paused) << reason;
        EXPECT_TRUE(held.is_frozen) << reason;
    }
}

TEST(DonationOf, KnowsAPauseThatLastsUntilSomebodyResumes) {
    TmmdStatus tmmd{true, "paused", 0, 0, "paused", 0};
    tmmd.paused_until_us = 1'700'000'000'000'000;
    EXPECT_FALSE(donation_of(tmmd, 0, false, gib).has_open_end);
    tmmd.paused_until_us = UINT64_MAX;
    EXPECT_TRUE(donation_of(tmmd, 0, false, gib).has_open_end);
    tmmd.state = "waiting";
    EXPECT_FALSE(donation_of(tmmd, 0, false, gib).has_open_end);
}

}  // namespace
}  // namespace tmm::boinc
