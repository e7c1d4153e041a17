// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/pseudo_pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tmm::core {
namespace {

constexpr Seconds epoch{10};

// The flow of one cgroup.
FlowByCgroup of(const PageFlow& anonymous, const PageFlow& file) {
    return {{unknown_cgroup, {anonymous, file}}};
}
FlowByCgroup anonymous(const PageFlow& flow) {
    return of(flow, {});
}
const FlowByCgroup nothing = anonymous({});

std::set<PageKey> keys_of(const EpochSample& sample) {
    std::set<PageKey> keys;
    for (const SampledPage& page : sample.referenced)
        keys.insert(page.key);
    return keys;
}

TEST(PseudoPages, StandForPages) {
    PseudoPages pages(8);
    const EpochSample first = pages.end_epoch(of(PageFlow{.came = Pages(80)}, PageFlow{.came_old = Pages(40)}), Pages(0), epoch);
    ASSERT_EQ(first.referenced.size(), 15U);
    EXPECT_EQ(first.referenced[0].weight, 8U);
    EXPECT_EQ(first.referenced[0].backing, Backing::anonymous);
    EXPECT_EQ(first.referenced[14].backing, Backing::file);
    EXPECT_EQ(keys_of(first).size(), 15U) << "each has a key of its own";
    EXPECT_TRUE(pages.end_epoch(nothing, Pages(0), epoch).referenced.empty());
}

TEST(PseudoPages, UsedPagesAreOnesThatWereThere) {
    PseudoPages pages(1);
    const std::set<PageKey> all = keys_of(pages.end_epoch(anonymous({.came = Pages(100)}), Pages(0), epoch));
    const std::set<PageKey> used = keys_of(pages.end_epoch(anonymous({.used_recent = Pages(30)}), Pages(0), epoch));
    EXPECT_EQ(used.size(), 30U);
    EXPECT_TRUE(std::includes(all.begin(), all.end(), used.begin(), used.end()));
    // The 30 are recent now, the other 70 old.
    const std::set<PageKey> again = keys_of(pages.end_epoch(anonymous({.used_recent = Pages(30)}), Pages(0), epoch));
    EXPECT_EQ(again, used);
    const std::set<PageKey> old = keys_of(pages.end_epoch(anonymous({.used_old = Pages(70)}), Pages(0), epoch));
    EXPECT_EQ(old.size(), 70U);
    for (const PageKey key : used)
        EXPECT_FALSE(old.contains(key));
}

TEST(PseudoPages, PartsOfAPseudoPageAddUp) {
    PseudoPages pages(10);
    std::size_t came = 0;
    for (int i = 0; i < 20; ++i)
        came += pages.end_epoch(anonymous({.came = Pages(3)}), Pages(0), epoch).referenced.size();
    EXPECT_EQ(came, 6U);
    std::size_t gone = 0;
    for (int i = 0; i < 25; ++i)
        gone += pages.end_epoch(anonymous({.gone_old = Pages(2)}), Pages(0), epoch).gone.size();
    EXPECT_EQ(gone, 5U);
    EXPECT_EQ(pages.end_epoch(anonymous({.gone_old = Pages(500)}), Pages(0), epoch).gone.size(), 1U) << "no more than there are";
}

// 1000 pages that were last used 1000 s ago, and as many used 110 s ago, beside others that each epoch uses. Returns how many of
// the former are among 110 old pages that are used.
std::size_t used_of_early(Pages used_each_epoch) {
    PseudoPages pages(1);
    std::set<PageKey> early = keys_of(pages.end_epoch(anonymous({.came = Pages(1000) + used_each_epoch}), Pages(0), epoch));
    const auto end_epoch = [&](Pages came) {
        for (const PageKey key :
             keys_of(pages.end_epoch(anonymous({.used_recent = used_each_epoch, .came = came}), Pages(0), epoch)))
            early.erase(key);
    };
    for (int i = 0; i < 88; ++i)
        end_epoch(Pages(0));
    end_epoch(Pages(1000));
    for (int i = 0; i < 10; ++i)
        end_epoch(Pages(0));
    EXPECT_EQ(early.size(), 1000U);
    std::size_t of_early = 0;
    for (const PageKey key : keys_of(pages.end_epoch(anonymous({.used_old = Pages(110)}), Pages(0), epoch)))
        of_early += early.contains(key) ? 1 : 0;
    return of_early;
}

TEST(PseudoPages, TheLongerUnusedTheLongerItWillBe) {
    EXPECT_NEAR(static_cast<double>(used_of_early(Pages(500))), 110.0 * 110 / 1110, 1.5);
}

TEST(PseudoPages, WhereRecentPagesAreNotUsedOldOnesAreUsedAlike) {
    EXPECT_NEAR(static_cast<double>(used_of_early(Pages(0))), 55, 1.5);
}

TEST(PseudoPages, UsedOldPagesMayBeTheYoungest) {
    PseudoPages pages(1);
    const std::set<PageKey> early = keys_of(pages.end_epoch(anonymous({.came = Pages(100)}), Pages(0), epoch));
    const std::set<PageKey> late = keys_of(pages.end_epoch(anonymous({.came = Pages(50)}), Pages(0), epoch));
    pages.end_epoch(nothing, Pages(0), epoch);
    const std::set<PageKey> used =
        keys_of(pages.end_epoch(anonymous({.used_old = Pages(60)}), Pages(0), epoch, OldUses::youngest_first));
    EXPECT_EQ(used.size(), 60U);
    EXPECT_TRUE(std::includes(used.begin(), used.end(), late.begin(), late.end()));
}

TEST(PseudoPages, EvictedPagesAreTheOldest) {
    PseudoPages pages(1);
    const std::set<PageKey> early = keys_of(pages.end_epoch(anonymous({.came = Pages(100)}), Pages(0), epoch));
    pages.end_epoch(anonymous({.came = Pages(100)}), Pages(0), epoch);
    pages.end_epoch(nothing, Pages(0), epoch);
    const EpochSample sample = pages.end_epoch(anonymous({.gone_old = Pages(60)}), Pages(40), epoch);
    ASSERT_EQ(sample.gone.size(), 60U);
    for (std::size_t i = 0; i < 40; ++i)
        EXPECT_TRUE(early.contains(sample.gone[i])) << i;
    // Programs freed the other 20: some of each age.
    EXPECT_EQ(std::count_if(sample.gone.begin() + 40, sample.gone.end(), [&](PageKey key) { return early.contains(key); }), 8);
}

TEST(PseudoPages, EvictionsBelongToOneBackingEach) {
    PseudoPages pages(1);
    pages.end_epoch(of(PageFlow{.came_old = Pages(100)}, PageFlow{.came_old = Pages(100)}), Pages(0), epoch);
    const std::set<PageKey> late =
        keys_of(pages.end_epoch(of(PageFlow{.came_old = Pages(100)}, PageFlow{.came_old = Pages(100)}), Pages(0), epoch));
    // Of the 50 evictions 40 were anonymous pages, so 10 of the 40 gone file pages were evicted and 30 freed.
    const EpochSample sample =
        pages.end_epoch(of(PageFlow{.gone_old = Pages(40)}, PageFlow{.gone_old = Pages(40)}), Pages(50), epoch);
    ASSERT_EQ(sample.gone.size(), 80U);
    EXPECT_EQ(std::count_if(sample.gone.begin(), sample.gone.begin() + 40, [&](PageKey key) { return late.contains(key); }), 0);
    EXPECT_GT(std::count_if(sample.gone.begin() + 40, sample.gone.end(), [&](PageKey key) { return late.contains(key); }), 10);
}

TEST(PseudoPages, PagesThatCameIntoAnOlderGenerationAreOldAtOnce) {
    PseudoPages pages(1);
    const std::set<PageKey> came = keys_of(pages.end_epoch(anonymous({.came_old = Pages(50)}), Pages(0), epoch));
    EXPECT_EQ(came.size(), 50U) << "to read a page is to use it";
    EXPECT_EQ(keys_of(pages.end_epoch(anonymous({.used_old = Pages(50)}), Pages(0), epoch)), came);
}

TEST(PseudoPages, NoPageIsLostAmongManyEpochs) {
    PseudoPages pages(1);
    for (int i = 0; i < 300; ++i)
        pages.end_epoch(anonymous({.came = Pages(2)}), Pages(0), epoch);
    pages.end_epoch(nothing, Pages(0), epoch);
    EXPECT_EQ(pages.end_epoch(anonymous({.gone_old = Pages(600)}), Pages(0), epoch).gone.size(), 600U);
}

TEST(PseudoPages, EachHasItsCgroup) {
    PseudoPages pages(1);
    const FlowByCgroup came{{7, {PageFlow{.came = Pages(10)}, PageFlow{}}}, {8, {PageFlow{.came = Pages(20)}, PageFlow{}}}};
    const EpochSample first = pages.end_epoch(came, Pages(0), epoch);
    EXPECT_EQ(
        std::count_if(first.referenced.begin(), first.referenced.end(), [](const SampledPage& one) { return one.cgroup == 7; }),
        10);
    const FlowByCgroup used{{7, {}}, {8, {PageFlow{.used_recent = Pages(15)}, PageFlow{}}}};
    const EpochSample second = pages.end_epoch(used, Pages(0), epoch);
    ASSERT_EQ(second.referenced.size(), 15U);
    for (const SampledPage& one : second.referenced)
        EXPECT_EQ(one.cgroup, 8U);
    // A cgroup that vanished takes all its pages along.
    EXPECT_EQ(pages.end_epoch({{8, {}}}, Pages(0), epoch).gone.size(), 10U);
    EXPECT_TRUE(pages.end_epoch({{8, {}}}, Pages(0), epoch).gone.empty());
}

TEST(PseudoPages, ManySmallCgroupsAddUp) {
    PseudoPages pages(10);
    FlowByCgroup came;
    for (CgroupId cgroup = 1; cgroup <= 100; ++cgroup)
        came[cgroup] = {PageFlow{.came = Pages(cgroup % 20)}, PageFlow{}};
    // 950 pages. Each cgroup has as many as are nearest.
    EXPECT_EQ(pages.end_epoch(came, Pages(0), epoch).referenced.size(), 100U);
}

TEST(PseudoPages, EvictionsBelongToCgroupsInProportion) {
    PseudoPages pages(1);
    const FlowByCgroup came{{7, {PageFlow{.came_old = Pages(100)}, PageFlow{}}},
                            {8, {PageFlow{.came_old = Pages(100)}, PageFlow{}}}};
    const std::set<PageKey> early = keys_of(pages.end_epoch(came, Pages(0), epoch));
    pages.end_epoch(came, Pages(0), epoch);
    const FlowByCgroup gone{{7, {PageFlow{.gone_old = Pages(60)}, PageFlow{}}},
                            {8, {PageFlow{.gone_old = Pages(20)}, PageFlow{}}}};
    const EpochSample sample = pages.end_epoch(gone, Pages(80), epoch);
    ASSERT_EQ(sample.gone.size(), 80U);
    EXPECT_TRUE(std::all_of(sample.gone.begin(), sample.gone.end(), [&](PageKey key) { return early.contains(key); }));
}

TEST(PseudoPages, DrawTheSameEachTime) {
    PseudoPages one(1);
    PseudoPages two(1);
    for (int i = 0; i < 3; ++i) {
        const FlowByCgroup flow = anonymous({.used_recent = Pages(i * 20), .came = Pages(100)});
        EXPECT_EQ(keys_of(one.end_epoch(flow, Pages(0), epoch)), keys_of(two.end_epoch(flow, Pages(0), epoch)));
    }
}

}  // namespace
}  // namespace tmm::core
