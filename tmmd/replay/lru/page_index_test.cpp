// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/lru/page_index.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace tmm::core {
namespace {

TEST(PageIndex, FindsWhatWasInserted) {
    PageIndex index;
    EXPECT_EQ(index.find(0), nullptr);
    index.insert({.key = 0, .slot = 7, .weight = 1});
    index.insert({.key = ~PageKey{0}, .slot = 8, .weight = 512});
    ASSERT_NE(index.find(0), nullptr);
    EXPECT_EQ(index.find(0)->slot, 7U);
    EXPECT_EQ(index.find(~PageKey{0})->weight, 512U);
    index.erase(index.find(0));
    EXPECT_EQ(index.find(0), nullptr);
    EXPECT_EQ(index.size(), 1U);
}

TEST(PageIndex, AgreesWithAMapOverManyRandomSteps) {
    std::mt19937_64 random(1);
    PageIndex index;
    std::unordered_map<PageKey, std::uint32_t> expected;
    for (std::uint32_t step = 1; step < 200'000; ++step) {
        const PageKey key = random() % 5000;
        PageIndex::Entry* const entry = index.find(key);
        ASSERT_EQ(entry != nullptr, expected.contains(key)) << step;
        if (!entry) {
            index.insert({.key = key, .slot = step, .weight = 1});
            expected[key] = step;
        } else {
            ASSERT_EQ(entry->slot, expected[key]) << step;
            if (random() % 2 == 0) {
                index.erase(entry);
                expected.erase(key);
            }
        }
        ASSERT_EQ(index.size(), expected.size());
    }
    for (const auto& [key, slot] : expected)
        ASSERT_EQ(index.find(key)->slot, slot);
}

}  // namespace
}  // namespace tmm::core
