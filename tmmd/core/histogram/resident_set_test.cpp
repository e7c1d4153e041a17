// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/resident_set.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

std::vector<PageKey> keys(const std::vector<SampledPage>& pages) {
    std::vector<PageKey> result;
    for (const SampledPage& page : pages)
        result.push_back(page.key);
    return result;
}

TEST(ResidentSet, EverythingIsNewAtFirst) {
    ResidentSet set;
    const EpochSample sample = set.update({{3, 1, false}, {1, 8, true}});
    EXPECT_EQ(keys(sample.referenced), (std::vector<PageKey>{1, 3}));
    EXPECT_EQ(sample.referenced[0].weight, 8U);
    EXPECT_TRUE(sample.gone.empty());
}

TEST(ResidentSet, LaterOnlyReferencedAndNewPagesAreReported) {
    ResidentSet set;
    set.update({{1, 1, false}, {2, 1, false}, {3, 1, false}});
    const EpochSample sample = set.update({{1, 1, false}, {2, 1, true}, {3, 1, false}, {4, 1, false}});
    EXPECT_EQ(keys(sample.referenced), (std::vector<PageKey>{2, 4}));
    EXPECT_TRUE(sample.gone.empty());
}

TEST(ResidentSet, PagesGoneAreReportedOnce) {
    ResidentSet set;
    set.update({{1, 1, false}, {2, 1, false}, {5, 1, false}, {9, 1, false}});
    EXPECT_EQ(set.update({{5, 1, false}}).gone, (std::vector<PageKey>{1, 2, 9}));
    EXPECT_EQ(set.update({}).gone, (std::vector<PageKey>{5}));
    EXPECT_TRUE(set.update({}).gone.empty());
}

}  // namespace
}  // namespace tmm::core
