// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/frames/frame_sample_source.hpp"

#include <gtest/gtest.h>
#include <linux/tmm.h>

#include <cerrno>
#include <map>
#include <utility>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

std::uint64_t frame(std::uint64_t pfn, std::uint64_t tag, std::uint64_t order = 0, std::uint64_t flags = 0) {
    return pfn | tag << 36 | order << 52 | flags;
}

// A scanner that answers from lists.
class FakeScanner : public FrameScanner {
public:
    explicit FakeScanner(std::vector<std::vector<std::uint64_t>> scans) : scans_(std::move(scans)) {}

    Result<std::vector<std::uint64_t>> scan(std::uint32_t, std::uint64_t) override {
        if (next_ == scans_.size())
            return Error(EIO, "scanner broke");
        return scans_[next_++];
    }
    // Two near ones, and four deeper than memory, which only one call returns.
    Result<RefaultCounts> poll_refaults(std::size_t nr_units) override {
        counts_.assign(nr_units, 0);
        for (auto& [unit, pages] : pages_in_unit_) {
            if (unit < nr_units)
                counts_[unit] = std::exchange(pages, 0);
        }
        return RefaultCounts{core::Pages(128), counts_, evictions_ += 10};
    }
    [[nodiscard]] std::string_view id() const override { return "test"; }
    [[nodiscard]] std::string_view name() const override { return "a test"; }
    [[nodiscard]] std::string_view reason() const override { return "this is one"; }

private:
    std::vector<std::vector<std::uint64_t>> scans_;
    std::size_t next_ = 0;
    std::map<std::size_t, std::uint64_t> pages_in_unit_{{1, 5}, {1023, 2}, {1024, 4}};
    std::vector<std::uint64_t> counts_;
    std::uint64_t evictions_ = UINT64_MAX - 15;  // about to start again at 0
};

TEST(SampleShift, LooksAt32768PagesAtMost) {
    EXPECT_EQ(sample_shift_for(core::Pages(0)), 0U);
    EXPECT_EQ(sample_shift_for(core::Pages(32768)), 0U);
    EXPECT_EQ(sample_shift_for(core::Pages(32769)), 1U);
    EXPECT_EQ(sample_shift_for(core::Pages(131072)), 2U);   // 512 MB
    EXPECT_EQ(sample_shift_for(core::Pages(4082000)), 7U);  // 16 GB as a kernel reports them
    EXPECT_EQ(sample_shift_for(core::Pages(4194304)), 7U);
    EXPECT_EQ(sample_shift_for(core::Pages(4194305)), 8U);
    EXPECT_EQ(sample_shift_for(core::Pages(UINT64_MAX)), 12U);  // the kernel's maximum
}

TEST(OpaquePages, LeavesOutWhatOnlyTransparentProcessesUse) {
    const std::vector<std::uint64_t> words{frame(1, 0), frame(2, 0, 0, TMM_FRAME_CLASS | TMM_FRAME_REF),
                                           frame(3, 0, 0, TMM_FRAME_CLASS | TMM_FRAME_SHARED | TMM_FRAME_REF)};
    const auto pages = opaque_pages(words, 0);
    ASSERT_EQ(pages.size(), 2U);
    EXPECT_EQ(pages[0].key, 1U << 16);
    EXPECT_FALSE(pages[0].referenced);
    EXPECT_EQ(pages[1].key, 3U << 16);
    EXPECT_TRUE(pages[1].referenced);
}

TEST(OpaquePages, ARecycledFrameIsAnotherPage) {
    const std::vector<std::uint64_t> words{frame(7, 1), frame(7, 2)};
    const auto pages = opaque_pages(words, 0);
    EXPECT_NE(pages[0].key, pages[1].key);
}

TEST(OpaquePages, KeysAreInTheOrderOfFrames) {
    const std::vector<std::uint64_t> words{frame(7, 0xffff), frame(8, 0), frame((1ULL << 36) - 1, 0xffff)};
    const auto pages = opaque_pages(words, 0);
    EXPECT_LT(pages[0].key, pages[1].key);
    EXPECT_LT(pages[1].key, pages[2].key);
    EXPECT_EQ(pages[2].key, (1ULL << 52) - 1) << "no bit is lost";
}

TEST(OpaquePages, WeightIsTheBlockOrTheLargerFolio) {
    const std::vector<std::uint64_t> words{frame(0, 0, 0), frame(64, 0, 4), frame(512, 0, 9)};
    const auto pages = opaque_pages(words, 6);
    EXPECT_EQ(pages[0].weight, 64U);
    EXPECT_EQ(pages[1].weight, 64U);
    EXPECT_EQ(pages[2].weight, 512U);
}

TEST(Refaults, EmptyUnitsAreLeftOut) {
    const std::vector<std::uint64_t> counts{0, 5, 0, 2};
    const auto refaults = refaults_of({core::Pages(128), counts});
    ASSERT_EQ(refaults.size(), 2U);
    EXPECT_EQ(refaults[0].distance_from, core::Pages(128));
    EXPECT_EQ(refaults[0].distance_to, core::Pages(256));
    EXPECT_EQ(refaults[0].pages, core::Pages(5));
    EXPECT_EQ(refaults[1].distance_from, core::Pages(384));
    EXPECT_EQ(refaults[1].pages, core::Pages(2));
    EXPECT_TRUE(refaults_of({core::Pages(128), {}}).empty());
}

TEST(FrameSampleSource, TurnsScansIntoEpochs) {
    FrameSampleSource source(std::make_unique<FakeScanner>(std::vector<std::vector<std::uint64_t>>{
                                 {frame(1, 0), frame(2, 0)}, {frame(2, 0, 0, TMM_FRAME_REF), frame(3, 0)}}),
                             2, 0);
    ASSERT_TRUE(source.sample());
    const auto sample = source.sample();
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->referenced.size(), 2U);
    EXPECT_EQ(sample->gone, (std::vector<core::PageKey>{1 << 16}));
    EXPECT_EQ(sample->refaults.size(), 0U) << "the earlier sample had those";
    EXPECT_EQ(source.sample().error().message(), "scanner broke");
    EXPECT_EQ(source.description(), "a test, one page in 4 (their cgroups are unknown), since this is one");
    EXPECT_EQ(source.traits().id, "test");
}

TEST(FrameSampleSource, TellsTheCgroupOfEachPageThatWasUsed) {
    const std::vector<std::uint64_t> charges{0, 71, 72};
    TempTree tree;
    tree.file("proc/kpagecgroup", std::string(reinterpret_cast<const char*>(charges.data()), charges.size() * sizeof charges[0]));
    FrameSampleSource source(
        std::make_unique<FakeScanner>(std::vector<std::vector<std::uint64_t>>{{frame(1, 0), frame(2, 0), frame(3, 0)}}), 2, 0,
        *PageCgroups::open(tree.root()));
    const auto sample = source.sample();
    ASSERT_TRUE(sample);
    ASSERT_EQ(sample->referenced.size(), 3U);
    EXPECT_EQ(sample->referenced[0].cgroup, 71U);
    EXPECT_EQ(sample->referenced[1].cgroup, 72U);
    EXPECT_EQ(sample->referenced[2].cgroup, core::unknown_cgroup);
    EXPECT_EQ(source.problem(), "");
    EXPECT_EQ(source.description(), "a test, one page in 4, since this is one");
}

TEST(FrameSampleSource, ALookOnlyAsksForRefaults) {
    FrameSampleSource source(std::make_unique<FakeScanner>(std::vector<std::vector<std::uint64_t>>{}), 0, 1);
    const auto polled = source.poll_refaults();
    ASSERT_TRUE(polled) << "it needs no scan, and the scanner has none";
    EXPECT_FALSE(polled->scanned);
    EXPECT_EQ(polled->refaults.size(), 2U);
}

TEST(FrameSampleSource, WhatIsDeeperThanMemoryWaitsForTheEpochsEnd) {
    FrameSampleSource source(std::make_unique<FakeScanner>(std::vector<std::vector<std::uint64_t>>{{frame(1, 0)}}), 0, 1);
    const auto polled = source.poll_refaults();
    ASSERT_TRUE(polled);
    ASSERT_EQ(polled->refaults.size(), 2U);
    EXPECT_EQ(polled->refaults[1].distance_to, core::Pages(1024 * 128)) << "the last unit that may lie within memory";
    const auto sample = source.sample();
    ASSERT_TRUE(sample);
    ASSERT_EQ(sample->refaults.size(), 1U);
    EXPECT_EQ(sample->refaults[0].distance_from, core::Pages(1024 * 128));
    EXPECT_EQ(sample->refaults[0].pages, core::Pages(4));
}

TEST(FrameSampleSource, AnotherRateStartsAnew) {
    const std::vector<std::uint64_t> scan{frame(1, 0), frame(2, 0)};
    FrameSampleSource source(std::make_unique<FakeScanner>(std::vector<std::vector<std::uint64_t>>{scan, scan, scan}), 1, 1);
    EXPECT_EQ(source.sample()->referenced.size(), 2U) << "new pages";
    EXPECT_EQ(source.sample()->referenced.size(), 0U);
    source.change_rate(+1);
    const auto sample = source.sample();
    ASSERT_EQ(sample->referenced.size(), 2U) << "new again";
    EXPECT_EQ(sample->referenced[0].weight, 4U);
    source.change_rate(-100);
    EXPECT_NE(source.description().find("one page in 1 "), std::string::npos) << source.description();
}

TEST(OpaquePages, KnowsWhatBacksThem) {
    const std::vector<std::uint64_t> words{frame(1, 0), frame(2, 0, 0, TMM_FRAME_FILE)};
    const auto pages = opaque_pages(words, 0);
    EXPECT_EQ(pages[0].backing, core::Backing::anonymous);
    EXPECT_EQ(pages[1].backing, core::Backing::file);
}

TEST(FrameSampleSource, TellsTheEvictionsSinceTheLastCall) {
    FrameSampleSource source(std::make_unique<FakeScanner>(std::vector<std::vector<std::uint64_t>>{{}, {}}), 0, 1);
    EXPECT_EQ(source.sample()->evicted, core::Pages(0)) << "those before do not count";
    EXPECT_EQ(source.poll_refaults()->evicted, core::Pages(10));
    EXPECT_EQ(source.sample()->evicted, core::Pages(10)) << "also across the end of the counter";
}

class FakeSorter : public PageSorter {
public:
    FakeSorter(std::vector<std::vector<core::CgroupId>>& sorted, const bool& broken) : sorted_(sorted), broken_(broken) {}
    Result<void> sort(std::span<const core::CgroupId> cgroups) override {
        sorted_.emplace_back(cgroups.begin(), cgroups.end());
        return broken_ ? Result<void>(Error(EPERM, "debugfs broke")) : Result<void>();
    }

private:
    std::vector<std::vector<core::CgroupId>>& sorted_;
    const bool& broken_;
};

class SortingSourceTest : public testing::Test {
protected:
    void keep(core::Seconds attended) {
        const std::vector<core::CgroupKeeps> kept{{7, core::Pages(100), std::chrono::minutes(10)}};
        source_.keep(kept, attended);
    }

    std::vector<std::vector<core::CgroupId>> sorted_;
    bool broken_ = false;
    bool can_sort_ = true;
    FrameSampleSource source_{std::make_unique<FakeScanner>(std::vector<std::vector<std::uint64_t>>{}), 0, 1, std::nullopt,
                              [this] { return can_sort_ ? std::make_unique<FakeSorter>(sorted_, broken_) : nullptr; }};
};

TEST_F(SortingSourceTest, HasThePagesOfCgroupsSortedEveryFiveAttendedMinutes) {
    keep(core::Seconds(0));
    EXPECT_EQ(sorted_, (std::vector<std::vector<core::CgroupId>>{{7}}));
    for (int minute = 0; minute < 15; ++minute)
        keep(core::Seconds(60));
    EXPECT_EQ(sorted_.size(), 4U) << "since no page that stays is older than ten";
    keep(core::Seconds(0));
    EXPECT_EQ(sorted_.size(), 4U);
}

TEST_F(SortingSourceTest, TellsWhyTheKernelDoesNotSortAndAsksAgain) {
    broken_ = true;
    keep(core::Seconds(0));
    EXPECT_NE(source_.problem().find("debugfs broke"), std::string::npos);
    broken_ = false;
    keep(core::Seconds(300));
    EXPECT_EQ(sorted_.size(), 2U);
    EXPECT_EQ(source_.problem(), "");
}

TEST_F(SortingSourceTest, WaitsForAKernelThatCanSort) {
    can_sort_ = false;
    keep(core::Seconds(0));
    EXPECT_EQ(source_.problem(), "");
    can_sort_ = true;  // debugfs was mounted
    keep(core::Seconds(300));
    EXPECT_EQ(sorted_.size(), 1U);
}

}  // namespace
}  // namespace tmm::os
