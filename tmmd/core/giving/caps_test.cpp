// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/caps.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

const Caps before{
    .max_bytes = Bytes(100), .max_percent = 50, .only_when_idle = true, .only_on_mains = true, .quiet_hours = QuietHours{1, 2}};

TEST(ApplyCapsChange, OnlyWhatIsPresentChanges) {
    EXPECT_EQ(apply(before, {}), before);
    CapsChange change;
    change.max_percent = 20;
    change.only_on_mains = false;
    Caps after = before;
    after.max_percent = 20;
    after.only_on_mains = false;
    EXPECT_EQ(apply(before, change), after);
}

TEST(ApplyCapsChange, AnEmptyBoundIsRemoved) {
    CapsChange change;
    change.max_bytes.emplace();
    change.quiet_hours.emplace();
    Caps after = before;
    after.max_bytes.reset();
    after.quiet_hours.reset();
    EXPECT_EQ(apply(before, change), after);
}

TEST(ApplyCapsChange, EveryCapCanBeSet) {
    const CapsChange change{.max_bytes = Bytes(100),
                            .max_percent = 50,
                            .only_when_idle = true,
                            .only_on_mains = true,
                            .quiet_hours = QuietHours{1, 2}};
    EXPECT_EQ(apply({}, change), before);
}

}  // namespace
}  // namespace tmm::core
