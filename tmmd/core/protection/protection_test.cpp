// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/protection/protection.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using Protections = std::vector<CgroupProtection>;

MemoryUsage usage_of(int total, int opaque, int transparent) {
    return {Pages(total), Pages(opaque), Pages(transparent)};
}

// All of contributions' memory are files, which need no swap.
Pages reclaimable(const MemoryUsage& usage, Pages opaque_limit) {
    return reclaimable_opaque(usage, opaque_limit, {{.path = "guest", .file = usage.transparent}}, {});
}

TEST(ReclaimableOpaque, IsTheExcessOverTheLimit) {
    EXPECT_EQ(reclaimable(usage_of(1000, 700, 300), Pages(600)), Pages(100));
    EXPECT_EQ(reclaimable(usage_of(1000, 700, 300), Pages(800)), Pages(0));
}

TEST(ReclaimableOpaque, LeavesTheKernelATenthOfMemory) {
    EXPECT_EQ(reclaimable(usage_of(1000, 1000, 0), Pages(1000)), Pages(100));
    EXPECT_EQ(reclaimable(usage_of(1000, 930, 30), Pages(1000)), Pages(30));
    EXPECT_EQ(reclaimable(usage_of(1000, 900, 60), Pages(1000)), Pages(0));
}

// The kernel would kill a program while the owner's caches are protected.
TEST(ReclaimableOpaque, DoesNotRelyOnContributionsThatHaveNoWayOut) {
    const MemoryUsage usage = usage_of(1000, 700, 290);
    const auto with_swap = [&](int free_swap) {
        return reclaimable_opaque(usage, Pages(1000), {{.path = "guest", .file = Pages(20), .anonymous = Pages(270)}},
                                  {.free = Pages(free_swap), .of_cgroups = {}, .anonymous_below = {}});
    };
    EXPECT_EQ(with_swap(0), Pages(70)) << "10 are free";
    EXPECT_EQ(with_swap(30), Pages(40));
    EXPECT_EQ(with_swap(500), Pages(0));
    EXPECT_EQ(reclaimable_opaque(usage_of(1000, 20, 980), Pages(1000), {{.path = "guest", .anonymous = Pages(980)}}, {}),
              Pages(20))
        << "never more than there is";
}

// Returns how much of contributions' memory counts as able to leave, on a machine of which all else is the owner's.
Pages takable(const std::vector<ContributedPages>& contributed, const SwapLeft& swap) {
    const Pages tenth(100'000);
    return tenth - reclaimable_opaque(usage_of(1'000'000, 1'000'000, 0), Pages(1'000'000), contributed, swap);
}

TEST(ReclaimableOpaque, CountsWhatLimitsOfSwapPermit) {
    const std::vector<ContributedPages> guest{{.path = "top/guest", .file = Pages(5), .anonymous = Pages(100)}};
    const auto with = [&](std::map<std::string, Pages> of_cgroups) {
        return takable(guest, {.free = Pages(90), .of_cgroups = std::move(of_cgroups), .anonymous_below = {}});
    };
    EXPECT_EQ(with({}), Pages(95));
    EXPECT_EQ(with({{"top/guest", Pages(30)}}), Pages(35));
    EXPECT_EQ(with({{"top/guest", Pages(0)}}), Pages(5)) << "files need no swap";
    EXPECT_EQ(with({{"top/guest", Pages(1000)}}), Pages(95));
    EXPECT_EQ(with({{"top", Pages(20)}, {"top/guest", Pages(30)}}), Pages(25)) << "those above count, too";
    EXPECT_EQ(with({{"top", Pages(40)}, {"top/guest", Pages(30)}}), Pages(35));
    EXPECT_EQ(with({{"other", Pages(0)}, {"top/gue", Pages(0)}, {"top/guest/below", Pages(0)}}), Pages(95));
}

TEST(ReclaimableOpaque, CountsLimitsOfSwapBelowAContributionsSlice) {
    const std::vector<ContributedPages> slice{{.path = "slice", .file = Pages(5), .anonymous = Pages(100)}};
    const auto with = [&](std::map<std::string, Pages> of_cgroups, std::map<std::string, Pages> anonymous_below) {
        return takable(slice,
                       {.free = Pages(1000), .of_cgroups = std::move(of_cgroups), .anonymous_below = std::move(anonymous_below)});
    };
    EXPECT_EQ(with({{"slice/a", Pages(0)}}, {{"slice/a", Pages(70)}}), Pages(35)) << "30 pages belong to others";
    EXPECT_EQ(with({{"slice/a", Pages(10)}, {"slice/b", Pages(0)}}, {{"slice/a", Pages(70)}, {"slice/b", Pages(20)}}), Pages(25));
    EXPECT_EQ(with({{"slice", Pages(35)}, {"slice/a", Pages(20)}}, {{"slice/a", Pages(70)}}), Pages(40)) << "both limits";
    EXPECT_EQ(with({{"slice/a", Pages(0)}}, {{"slice/a", Pages(900)}}), Pages(5)) << "never more than there is";
    EXPECT_EQ(with({{"slice/a", Pages(500)}}, {{"slice/a", Pages(70)}}), Pages(105));
}

TEST(ReclaimableOpaque, ContributionsShareALimitOfSwapAbove) {
    const std::vector<ContributedPages> guests{{.path = "top/a", .anonymous = Pages(100)},
                                               {.path = "top/b", .anonymous = Pages(50)},
                                               {.path = "top-c", .anonymous = Pages(7)}};
    const auto with = [&](std::map<std::string, Pages> of_cgroups) {
        return takable(guests, {.free = Pages(1000), .of_cgroups = std::move(of_cgroups), .anonymous_below = {}});
    };
    EXPECT_EQ(with({{"top", Pages(120)}}), Pages(127));
    EXPECT_EQ(with({{"top", Pages(120)}, {"top/a", Pages(80)}}), Pages(127)) << "the other one takes the rest";
    EXPECT_EQ(with({{"top", Pages(120)}, {"top/a", Pages(30)}}), Pages(87));
    EXPECT_EQ(with({{"top/a", Pages(0)}, {"top/b", Pages(0)}}), Pages(7));
}

TEST(ReclaimableOpaque, IsNeverMoreThanThereIs) {
    EXPECT_EQ(reclaimable(usage_of(1000, 20, 0), Pages(0)), Pages(20));
    EXPECT_EQ(reclaimable(usage_of(100, 20, 300), Pages(0)), Pages(20));
}

TEST(MustLeave, IsTheTenthWithoutWhatCanLeaveElsewhere) {
    const std::vector<ContributedPages> guest{{.path = "guest", .file = Pages(20), .anonymous = Pages(270)}};
    const auto with_swap = [&](int free_swap) {
        return must_leave(usage_of(1000, 700, 290), guest, {.free = Pages(free_swap), .of_cgroups = {}, .anonymous_below = {}});
    };
    EXPECT_EQ(with_swap(0).pages, Pages(70));
    EXPECT_EQ(with_swap(30).pages, Pages(40));
    EXPECT_EQ(with_swap(30).swap, Pages(0)) << "contributions' pages take it";
    EXPECT_EQ(with_swap(500).pages, Pages(0));
    EXPECT_EQ(with_swap(500).swap, Pages(230));
}

// A machine of which the owner has all: 300 pages of files in one cgroup, 700 anonymous ones in the other.
const std::vector<CgroupUsage> files_and_anonymous{{"files.slice", Pages(300), false, {}, Pages(300), Pages(0)},
                                                   {"programs.slice", Pages(700), false, {}, Pages(0), Pages(700)}};

TEST(ReclaimableThatLeaves, IsMoreWhereAnonymousPagesHaveNoSwap) {
    const auto with_swap = [](int swap) {
        return reclaimable_that_leaves(files_and_anonymous, Pages(100), {Pages(100), Pages(swap)}, Cover::all);
    };
    ASSERT_TRUE(with_swap(0));
    EXPECT_NEAR(with_swap(0)->as_double(), 333, 2) << "of which 100 are files";
    EXPECT_NEAR(with_swap(40)->as_double(), 200, 2) << "60 files, and 40 of 140 others";
    EXPECT_EQ(with_swap(70), Pages(100));
    EXPECT_EQ(with_swap(700), std::nullopt);
}

TEST(ReclaimableThatLeaves, IsNeverLess) {
    EXPECT_EQ(reclaimable_that_leaves(files_and_anonymous, Pages(600), {Pages(100), Pages(0)}, Cover::all), Pages(600));
    EXPECT_EQ(reclaimable_that_leaves(files_and_anonymous, Pages(2000), {Pages(100), Pages(0)}, Cover::all), Pages(2000));
    EXPECT_EQ(reclaimable_that_leaves(files_and_anonymous, Pages(0), {Pages(0), Pages(0)}, Cover::all), Pages(0));
}

TEST(ReclaimableThatLeaves, IsAllWhereThereAreTooFewFiles) {
    const std::vector<CgroupUsage> top{{"user.slice", Pages(1000), false, {}, Pages(50), Pages(950)}};
    EXPECT_NEAR(reclaimable_that_leaves(top, Pages(100), {Pages(100), Pages(0)}, Cover::all)->as_double(), 1000, 10);
}

TEST(ReclaimableThatLeaves, TakesFilesThatNobodyNeedsFirst) {
    std::vector<CgroupUsage> top = files_and_anonymous;
    top.push_back({"idle.slice", Pages(300), false, {}, Pages(300), Pages(0)});
    const CgroupNeeds needs{{"files.slice", {Pages(300), Pages(300)}},
                            {"idle.slice", {Pages(0), Pages(300)}},
                            {"programs.slice", {Pages(700), Pages(700)}}};
    EXPECT_EQ(reclaimable_that_leaves(top, Pages(130), {Pages(130), Pages(0)}, Cover::all, needs), Pages(130));
    const CgroupNeeds used{{"files.slice", {Pages(0), Pages(300)}},
                           {"idle.slice", {Pages(300), Pages(300)}},
                           {"programs.slice", {Pages(0), Pages(700)}}};
    const auto found = reclaimable_that_leaves(top, Pages(130), {Pages(130), Pages(0)}, Cover::needs, used);
    EXPECT_EQ(found, Pages(130)) << "needs alone are protected, so 300 files can leave";
}

TEST(ReclaimableThatLeaves, LooksBelowAParentOfContributions) {
    const std::vector<CgroupUsage> top{{"user.slice",
                                        Pages(1000),
                                        false,
                                        {{"user.slice/app", Pages(500), false, {}, Pages(250), Pages(250)},
                                         {"user.slice/guest", Pages(500), true, {}, Pages(500), Pages(0)}}}};
    EXPECT_NEAR(reclaimable_that_leaves(top, Pages(50), {Pages(50), Pages(0)}, Cover::all)->as_double(), 100, 1);
}

TEST(Protections, CoverAllUsageIfNothingHasToBeReclaimable) {
    const std::vector<CgroupUsage> top{{"system.slice", Pages(100), false, {}}, {"user.slice", Pages(300), false, {}}};
    EXPECT_EQ(protections(top, Pages(0), Cover::all), (Protections{{"system.slice", Pages(100)}, {"user.slice", Pages(300)}}));
}

TEST(Protections, LeaveTheSameShareOfEachCgroup) {
    const std::vector<CgroupUsage> top{{"system.slice", Pages(100), false, {}}, {"user.slice", Pages(300), false, {}}};
    EXPECT_EQ(protections(top, Pages(100), Cover::all), (Protections{{"system.slice", Pages(75)}, {"user.slice", Pages(225)}}));
    EXPECT_EQ(protections(top, Pages(400), Cover::all), (Protections{{"system.slice", Pages(0)}, {"user.slice", Pages(0)}}));
    EXPECT_EQ(protections(top, Pages(500), Cover::all), (Protections{{"system.slice", Pages(0)}, {"user.slice", Pages(0)}}));
}

TEST(Protections, GoToThoseFirstThatNeedThem) {
    const std::vector<CgroupUsage> top{{"idle.slice", Pages(300), false, {}}, {"user.slice", Pages(300), false, {}}};
    const CgroupNeeds needs{{"idle.slice", {Pages(0), Pages(300)}}, {"user.slice", {Pages(200), Pages(300)}}};
    EXPECT_EQ(protections(top, Pages(400), Cover::all, needs),
              (Protections{{"idle.slice", Pages(0)}, {"user.slice", Pages(200)}}));
    EXPECT_EQ(protections(top, Pages(500), Cover::all, needs),
              (Protections{{"idle.slice", Pages(0)}, {"user.slice", Pages(100)}}));
    // More than is needed is a margin for those that need it, and what they cannot use goes to the others.
    EXPECT_EQ(protections(top, Pages(350), Cover::all, needs),
              (Protections{{"idle.slice", Pages(0)}, {"user.slice", Pages(250)}}));
    EXPECT_EQ(protections(top, Pages(200), Cover::all, needs),
              (Protections{{"idle.slice", Pages(100)}, {"user.slice", Pages(300)}}));
    EXPECT_EQ(protections(top, Pages(0), Cover::all, needs),
              (Protections{{"idle.slice", Pages(300)}, {"user.slice", Pages(300)}}));
}

TEST(Protections, AnUnknownNeedIsAllOfTheUsage) {
    const std::vector<CgroupUsage> top{{"idle.slice", Pages(300), false, {}}, {"new.slice", Pages(100), false, {}}};
    EXPECT_EQ(protections(top, Pages(250), Cover::all, {{"idle.slice", {Pages(50), Pages(300)}}}),
              (Protections{{"idle.slice", Pages(50)}, {"new.slice", Pages(100)}}));
}

TEST(Protections, WhatCameSinceTheNeedWasFoundIsNeeded) {
    const std::vector<CgroupUsage> top{{"idle.slice", Pages(300), false, {}}, {"user.slice", Pages(300), false, {}}};
    const CgroupNeeds needs{{"idle.slice", {Pages(100), Pages(300)}}, {"user.slice", {Pages(50), Pages(100)}}};
    EXPECT_EQ(protections(top, Pages(250), Cover::all, needs),
              (Protections{{"idle.slice", Pages(100)}, {"user.slice", Pages(250)}}));
    const CgroupNeeds shrunk{{"idle.slice", {Pages(0), Pages(300)}}, {"user.slice", {Pages(500), Pages(900)}}};
    EXPECT_EQ(protections(top, Pages(300), Cover::all, shrunk),
              (Protections{{"idle.slice", Pages(0)}, {"user.slice", Pages(300)}}));
}

// Whoever needs more takes the rest. Protected, it would leave new programs nothing but each other's pages.
TEST(Protections, MayCoverNoMoreThanTheNeeds) {
    const std::vector<CgroupUsage> top{{"idle.slice", Pages(300), false, {}}, {"user.slice", Pages(300), false, {}}};
    const CgroupNeeds needs{{"idle.slice", {Pages(50), Pages(300)}}, {"user.slice", {Pages(150), Pages(300)}}};
    EXPECT_EQ(protections(top, Pages(100), Cover::needs, needs),
              (Protections{{"idle.slice", Pages(50)}, {"user.slice", Pages(150)}}));
    EXPECT_EQ(protections(top, Pages(500), Cover::needs, needs),
              (Protections{{"idle.slice", Pages(25)}, {"user.slice", Pages(75)}}))
        << "too little for all";
    EXPECT_EQ(protections({{"user.slice", Pages(100), false, {}}}, Pages(0), Cover::needs, needs),
              (Protections{{"user.slice", Pages(150)}}))
        << "with room for pages that come back";
}

// After a mass eviction needs exceed usages.
TEST(Protections, OfNeedsThatExceedTheUsageLeaveAsMuchReclaimable) {
    const std::vector<CgroupUsage> top{
        {"idle.slice", Pages(100), false, {}}, {"lost.slice", Pages(200), false, {}}, {"user.slice", Pages(300), false, {}}};
    const CgroupNeeds needs{{"idle.slice", {Pages(100), Pages(100)}},
                            {"lost.slice", {Pages(4000), Pages(200)}},
                            {"user.slice", {Pages(300), Pages(300)}}};
    EXPECT_EQ(protections(top, Pages(200), Cover::needs, needs),
              (Protections{{"idle.slice", Pages(50)}, {"lost.slice", Pages(2000)}, {"user.slice", Pages(150)}}))
        << "200 of idle.slice and user.slice are not protected";
    EXPECT_EQ(protections(top, Pages(0), Cover::needs, needs),
              (Protections{{"idle.slice", Pages(100)}, {"lost.slice", Pages(4000)}, {"user.slice", Pages(300)}}));
    EXPECT_EQ(protections(top, Pages(500), Cover::needs, needs),
              (Protections{{"idle.slice", Pages(2)}, {"lost.slice", Pages(91)}, {"user.slice", Pages(7)}}))
        << "100 are protected, by the share of the needs";
}

TEST(Protections, OfNeedsLeavesMemoryThatCameSinceAlone) {
    const std::vector<CgroupUsage> top{
        {"idle.slice", Pages(300), false, {}}, {"new.slice", Pages(400), false, {}}, {"user.slice", Pages(300), false, {}}};
    const CgroupNeeds needs{{"idle.slice", {Pages(100), Pages(200)}}, {"user.slice", {Pages(150), Pages(300)}}};
    EXPECT_EQ(protections(top, Pages(500), Cover::needs, needs),
              (Protections{{"idle.slice", Pages(100)}, {"new.slice", Pages(0)}, {"user.slice", Pages(150)}}));
}

TEST(ProtectionsBelow, GiveWhatTheParentHasToThoseThatNeedIt) {
    const CgroupNeeds needs{{"user.slice", {Pages(200), Pages(900)}},
                            {"user.slice/browser", {Pages(150), Pages(300)}},
                            {"user.slice/browser/tab", {Pages(100), Pages(200)}},
                            {"user.slice/editor", {Pages(50), Pages(500)}},
                            {"user.slice2", {Pages(7), Pages(7)}}};
    EXPECT_EQ(protections_below({{"user.slice", Pages(300)}}, needs),
              (Protections{
                  {"user.slice/browser", Pages(225)}, {"user.slice/browser/tab", Pages(150)}, {"user.slice/editor", Pages(75)}}));
    // Too little for all: the kernel shares it out by what each claims.
    EXPECT_EQ(protections_below({{"user.slice", Pages(100)}}, needs),
              (Protections{
                  {"user.slice/browser", Pages(150)}, {"user.slice/browser/tab", Pages(100)}, {"user.slice/editor", Pages(50)}}));
}

TEST(ProtectionsBelow, LeaveParentsOfContributionsAlone) {
    const CgroupNeeds needs{{"user.slice", {Pages(200), Pages(900)}}, {"user.slice/browser", {Pages(200), Pages(300)}}};
    EXPECT_EQ(protections_below({{"user.slice", Pages(300)}, {"user.slice/browser", Pages(300)}}, needs), Protections());
    EXPECT_EQ(protections_below({{"user.slice", Pages(300)}}, {}), Protections());
    EXPECT_EQ(protections_below({{"user.slice", Pages(300)}}, {{"user.slice", {Pages(0), Pages(900)}}}), Protections());
}

TEST(Protections, ContributionsGetNone) {
    const std::vector<CgroupUsage> top{{"transparent.slice", Pages(500), true, {}}, {"user.slice", Pages(300), false, {}}};
    EXPECT_EQ(protections(top, Pages(150), Cover::all), (Protections{{"user.slice", Pages(150)}}));
}

// The kernel would share what the neighbours do not claim with the contribution.
TEST(Protections, NeighboursOfAContributionClaimAllThatTheirParentHas) {
    const CgroupUsage user{
        "user.slice",
        Pages(600),
        false,
        {{"user.slice/session", Pages(101), false, {}},
         {"user.slice/app",
          Pages(400),
          false,
          {{"user.slice/app/browser", Pages(99), false, {}}, {"user.slice/app/transparent.slice", Pages(300), true, {}}}}}};
    const Protections found = protections({user}, Pages(100), Cover::all);
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[0].path, "user.slice");
    EXPECT_EQ(found[0].pages, found[1].pages + found[2].pages);
    EXPECT_EQ(found[1], (CgroupProtection{"user.slice/session", Pages(51)}));
    EXPECT_EQ(found[2].path, "user.slice/app");
    EXPECT_EQ(found[2].pages, found[3].pages);
    EXPECT_EQ(found[3], (CgroupProtection{"user.slice/app/browser", Pages(50)}));
}

TEST(Protections, AreNoneWithoutOpaqueMemory) {
    EXPECT_EQ(protections({}, Pages(10), Cover::all), Protections());
    EXPECT_EQ(protections({{"user.slice", Pages(0), false, {}}}, Pages(0), Cover::all), (Protections{{"user.slice", Pages(0)}}));
}

constexpr Bytes page(4096);

TEST(WorthAWrite, IsAChangeOfMoreThanASixtyFourth) {
    EXPECT_TRUE(worth_a_write(Pages(64000), Pages(65100), page));
    EXPECT_TRUE(worth_a_write(Pages(65100), Pages(64000), page));
    EXPECT_FALSE(worth_a_write(Pages(64000), Pages(64900), page));
    // Less than 1 MiB.
    EXPECT_FALSE(worth_a_write(Pages(256), Pages(511), page));
    EXPECT_FALSE(worth_a_write(Pages(511), Pages(256), page));
    EXPECT_FALSE(worth_a_write(Pages(255), Pages(0), page));
    EXPECT_TRUE(worth_a_write(Pages(256), Pages(0), page));
    EXPECT_FALSE(worth_a_write(Pages(0), Pages(0), Bytes(4 << 20)));
}

TEST(WorthAWrite, ASmallProtectionThatGrowsTwofold) {
    EXPECT_FALSE(worth_a_write(Pages(0), Pages(15), page));
    EXPECT_TRUE(worth_a_write(Pages(0), Pages(16), page));
    EXPECT_FALSE(worth_a_write(Pages(2), Pages(17), page));
    EXPECT_TRUE(worth_a_write(Pages(2), Pages(18), page));
    EXPECT_FALSE(worth_a_write(Pages(100), Pages(199), page));
    EXPECT_TRUE(worth_a_write(Pages(100), Pages(200), page));
    // Nor does it go back and forth.
    EXPECT_FALSE(worth_a_write(Pages(200), Pages(100), page));
    EXPECT_TRUE(worth_a_write(Pages(0), Pages(1), Bytes(64 << 10)));
}

TEST(ContributionLimits, LetThemTakeFreeMemory) {
    const std::vector<Pages> limits = contribution_limits(usage_of(1000, 400, 100), Pages(0), Pages(20), {Pages(70), Pages(30)});
    EXPECT_EQ(limits, (std::vector<Pages>{Pages(70 + 480), Pages(30 + 480)}));
}

TEST(ContributionLimits, LetThemHaveTheirClassesLimit) {
    EXPECT_EQ(contribution_limits(usage_of(1000, 900, 100), Pages(300), Pages(20), {Pages(100)}), std::vector<Pages>{Pages(300)});
}

TEST(ContributionLimits, LetThemRunThoughNothingIsFree) {
    EXPECT_EQ(contribution_limits(usage_of(1000, 1000, 0), Pages(0), Pages(20), {Pages(0)}), std::vector<Pages>{Pages(10)});
    EXPECT_EQ(contribution_limits(usage_of(1000, 994, 6), Pages(0), Pages(20), {Pages(4), Pages(2)}),
              (std::vector<Pages>{Pages(8), Pages(6)}));
}

TEST(ContributionLimits, NeverMakeThemWaitForTheirOwnReclaim) {
    EXPECT_EQ(contribution_limits(usage_of(1000, 700, 300), Pages(100), Pages(20), {Pages(300)}), std::vector<Pages>{Pages(300)});
    EXPECT_EQ(contribution_limits(usage_of(1000, 700, 300), Pages(100), Pages(20), {}), std::vector<Pages>{});
}

TEST(KeptFree, IsMoreWhereEvictingMayFreeNothing) {
    EXPECT_EQ(kept_free(Pages(1000), false), Pages(20));
    EXPECT_EQ(kept_free(Pages(1000), true), Pages(40));
}

}  // namespace
}  // namespace tmm::core
