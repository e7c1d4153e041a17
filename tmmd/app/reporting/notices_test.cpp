// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/reporting/notices.hpp"

#include <gtest/gtest.h>

namespace tmm::app {
namespace {

using News = std::vector<Notice>;

Condition condition(bool trouble, bool under_pressure, const std::string& reason) {
    return {.trouble = trouble, .under_pressure = under_pressure, .reason = reason};
}

TEST(Notices, WhatStaysAsItIsIsNoNews) {
    Notices notices;
    EXPECT_EQ(notices.update(condition(false, false, "gives")), News());
    EXPECT_EQ(notices.update(condition(false, false, "gives less")), News());
}

TEST(Notices, TroubleAndItsEnd) {
    Notices notices;
    EXPECT_EQ(notices.update(condition(true, false, "no kernel")), (News{{"trouble", "no kernel"}}));
    EXPECT_EQ(notices.update(condition(true, false, "no kernel")), News());
    EXPECT_EQ(notices.update(condition(false, false, "gives")), (News{{"works-again", "gives"}}));
}

TEST(Notices, PressureOnceEachTimeItBegins) {
    Notices notices;
    EXPECT_EQ(notices.update(condition(false, true, "waited")), (News{{"pressure", "waited"}}));
    EXPECT_EQ(notices.update(condition(false, true, "waited")), News());
    EXPECT_EQ(notices.update(condition(false, false, "gives")), News());
    EXPECT_EQ(notices.update(condition(false, true, "waited")), (News{{"pressure", "waited"}}));
}

}  // namespace
}  // namespace tmm::app
