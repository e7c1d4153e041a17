// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/rates.hpp"

#include <gtest/gtest.h>

namespace tmm::far {
namespace {

using std::chrono::seconds;

TEST(RatesTest, AreOfTheTimeSinceTheLastUpdate) {
    Rates rates;
    rates.update(TimePoint(seconds(10)), {.faults = 1000, .waited = seconds(100), .link_bytes = 0, .all_link_bytes = 1 << 30});
    EXPECT_EQ(rates.faults_per_second(), 0);
    rates.update(TimePoint(seconds(12)),
                 {.faults = 1300, .waited = seconds(105), .link_bytes = 4096, .all_link_bytes = (1 << 30) + 16384});
    EXPECT_EQ(rates.faults_per_second(), 150);
    EXPECT_EQ(rates.waiting(), 2.5) << "threads";
    EXPECT_EQ(rates.link_share(), 0.25);
}

TEST(RatesTest, OfAnIdleLinkNobodyHasAShare) {
    Rates rates;
    rates.update(TimePoint(seconds(1)), {});
    rates.update(TimePoint(seconds(2)), {});
    EXPECT_EQ(rates.link_share(), 0);
    EXPECT_EQ(rates.waiting(), 0);
}

}  // namespace
}  // namespace tmm::far
