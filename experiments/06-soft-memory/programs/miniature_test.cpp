// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "miniature.hpp"

#include <gtest/gtest.h>

namespace tmm::soft_memory {
namespace {

TEST(Miniature, KeepsWhatWasReadSinceItWasWritten) {
    Miniature cache(3);
    EXPECT_FALSE(cache.use(1, 1));
    EXPECT_FALSE(cache.use(2, 1));
    EXPECT_TRUE(cache.use(1, 1));
    EXPECT_FALSE(cache.use(3, 1));
    EXPECT_FALSE(cache.use(4, 1));
    EXPECT_TRUE(cache.use(1, 1));
    EXPECT_FALSE(cache.use(2, 1));
}

TEST(Miniature, HoldsNothingLargerThanItself) {
    Miniature cache(3);
    EXPECT_FALSE(cache.use(1, 4));
    EXPECT_FALSE(cache.use(1, 4));
    EXPECT_FALSE(cache.use(2, 3));
    EXPECT_TRUE(cache.use(2, 3));
}

}  // namespace
}  // namespace tmm::soft_memory
