// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/store/ghosts.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tmm::caches {
namespace {

TEST(Ghosts, KnowsWhatItLostLatelyOnce) {
    Ghosts ghosts;
    EXPECT_FALSE(ghosts.take(77));
    ghosts.add(77);
    EXPECT_FALSE(ghosts.take(77)) << "no room yet";
    ghosts.fit(100);
    ghosts.add(77);
    EXPECT_FALSE(ghosts.take(78));
    EXPECT_TRUE(ghosts.take(77));
    EXPECT_FALSE(ghosts.take(77));
}

TEST(Ghosts, ForgetsInTheOrderInWhichTheyCame) {
    constexpr std::size_t items = 10'000;
    Ghosts ghosts;
    ghosts.fit(4 * items);
    std::mt19937 random(1);
    std::vector<std::uint32_t> hashes(10 * items);
    for (std::uint32_t& hash : hashes) {
        hash = static_cast<std::uint32_t>(random()) >> (32 - index_hash_bits);
        ghosts.add(hash);
    }
    const auto known = [&](std::size_t from) {
        std::size_t count = 0;
        for (std::size_t i = from; i < from + items / 2; ++i) {
            count += ghosts.take(hashes[i]) ? 1 : 0;
        }
        return static_cast<double>(count) / (items / 2);
    };
    EXPECT_GT(known(hashes.size() - items / 2), 0.7);
    EXPECT_GT(known(hashes.size() - items), 0.4);
    EXPECT_LT(known(hashes.size() - 3 * items), 0.01);
    EXPECT_LT(known(0), 0.01);
}

TEST(Ghosts, TakesAByteAnItemAbout) {
    Ghosts ghosts;
    ghosts.fit(1000);
    EXPECT_LE(ghosts.bytes(), 1300U);
    ghosts.fit(300'000);
    ghosts.fit(1000);
    EXPECT_LE(ghosts.bytes(), 1300U);
    ghosts.fit(0);
    EXPECT_EQ(ghosts.bytes(), 0U);
}

}  // namespace
}  // namespace tmm::caches
