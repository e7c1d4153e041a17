// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/bounds/quota.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace tmm {
namespace {

TEST(Quota, BoundsEachKey) {
    const Quota<int> quota(2, 10);
    const auto first = quota.take(1);
    const auto second = quota.take(1);
    EXPECT_TRUE(first && second);
    EXPECT_FALSE(quota.take(1));
    EXPECT_TRUE(quota.take(2)) << "another one's is another bound";
}

TEST(Quota, BoundsAllTogether) {
    const Quota<int> quota(2, 3);
    const auto first = quota.take(1);
    const auto second = quota.take(2);
    const auto third = quota.take(3);
    EXPECT_TRUE(first && second && third);
    EXPECT_FALSE(quota.take(4));
}

TEST(Quota, ATicketCountsUntilItsLastCopyIsGone) {
    const Quota<std::string> quota(1, 1);
    auto ticket = quota.take("a");
    auto copy = ticket;
    ticket.reset();
    EXPECT_FALSE(quota.take("a"));
    copy.reset();
    EXPECT_TRUE(quota.take("a"));
}

TEST(Quota, ATicketMayOutliveTheQuota) {
    std::optional<Quota<int>> quota(std::in_place, 1, 1);
    const auto ticket = quota->take(1);
    quota.reset();
    EXPECT_TRUE(ticket);
}

}  // namespace
}  // namespace tmm
