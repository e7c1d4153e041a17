// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tmm::desk {
namespace {

std::vector<PageIndex> take(Pattern& pattern, std::size_t nr_pages) {
    std::vector<PageIndex> batch{99, 99};
    pattern.next(nr_pages, batch);
    return batch;
}

TEST(LoopPattern, TouchesEveryPageInTurnAndWrapsWithinABatch) {
    LoopPattern pattern(3);
    EXPECT_EQ(take(pattern, 2), (std::vector<PageIndex>{0, 1}));
    EXPECT_EQ(take(pattern, 5), (std::vector<PageIndex>{2, 0, 1, 2, 0}));
    EXPECT_EQ(take(pattern, 0), std::vector<PageIndex>{});
}

TEST(LoopPattern, OnePageIsTouchedAlways) {
    LoopPattern pattern(1);
    EXPECT_EQ(take(pattern, 3), (std::vector<PageIndex>{0, 0, 0}));
}

TEST(PhasesPattern, StaysInAPartForItsRoundsThenGoesOn) {
    PhasesPattern pattern(5, 2, 2);
    EXPECT_EQ(take(pattern, 3), (std::vector<PageIndex>{0, 1, 0}));
    EXPECT_EQ(take(pattern, 9), (std::vector<PageIndex>{1, 2, 3, 4, 2, 3, 4, 0, 1})) << "the last part is the longer one";
}

TEST(PhasesPattern, OnePartIsALoop) {
    PhasesPattern phases(7, 1, 3);
    LoopPattern loop(7);
    EXPECT_EQ(take(phases, 50), take(loop, 50));
}

TEST(PhasesPattern, PartsOfOnePage) {
    PhasesPattern pattern(2, 2, 2);
    EXPECT_EQ(take(pattern, 5), (std::vector<PageIndex>{0, 0, 1, 1, 0}));
}

TEST(ZipfPattern, SameSeedSamePagesOtherSeedOthers) {
    ZipfPattern a(1000, 0.9, 1);
    ZipfPattern b(1000, 0.9, 1);
    ZipfPattern c(1000, 0.9, 2);
    const auto pages = take(a, 100);
    EXPECT_EQ(pages, take(b, 100));
    EXPECT_NE(pages, take(c, 100));
    EXPECT_NE(pages, take(a, 100)) << "the second batch must go on, not repeat";
}

TEST(ZipfPattern, StaysBelowTheNumberOfPages) {
    ZipfPattern pattern(7, 0.5, 3);
    const auto pages = take(pattern, 10000);
    EXPECT_EQ(*std::max_element(pages.begin(), pages.end()), 6U);
    EXPECT_EQ(std::set<PageIndex>(pages.begin(), pages.end()).size(), 7U) << "every page is touched sooner or later";
}

TEST(ZipfPattern, FrequenciesFollowTheLaw) {
    ZipfPattern pattern(100, 1.0, 4);
    std::map<PageIndex, int> counts;
    for (const PageIndex page : take(pattern, 200000))
        ++counts[page];
    std::vector<int> sorted;
    sorted.reserve(counts.size());
    for (const auto& [page, count] : counts)
        sorted.push_back(count);
    std::sort(sorted.rbegin(), sorted.rend());
    // 1 / H(100) = 0.193 of all touches go to the first rank, half of that to the second, a tenth to the tenth.
    EXPECT_NEAR(sorted[0] / 200000.0, 0.193, 0.005);
    EXPECT_NEAR(sorted[1] / 200000.0, 0.0964, 0.004);
    EXPECT_NEAR(sorted[9] / 200000.0, 0.0193, 0.002);
}

TEST(ZipfPattern, ExponentZeroIsUniform) {
    ZipfPattern pattern(10, 0.0, 5);
    std::map<PageIndex, int> counts;
    for (const PageIndex page : take(pattern, 100000))
        ++counts[page];
    for (const auto& [page, count] : counts)
        EXPECT_NEAR(count, 10000, 600) << page;
}

TEST(Random, NoSeedLeadsToTheStateThatNeverChanges) {
    for (const std::uint64_t seed : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1}}) {
        EXPECT_NE(random_state_of_seed(seed), 0U);
        EXPECT_NE(next_random_state(random_state_of_seed(seed)), random_state_of_seed(seed));
    }
}

}  // namespace
}  // namespace tmm::desk
