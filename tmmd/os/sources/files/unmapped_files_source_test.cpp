// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/files/unmapped_files_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "tmmd/os/sources/files/fake_open_files.hpp"

namespace tmm::os {
namespace {

using core::Pages;
using core::Seconds;

constexpr core::CgroupId editor = 7;
constexpr core::CgroupId other = 8;
constexpr core::PageKey mapped_key = 5;
constexpr Pages installed(16384);  // so a pseudo page stands for two pages

// A source with one page that is always used.
class OnePage : public SampleSource {
public:
    // evicted: opaque pages since the last call, of either function.
    explicit OnePage(Pages& evicted) : evicted_(evicted) {}
    Result<core::EpochSample> sample() override {
        core::EpochSample sample;
        sample.referenced = {{mapped_key, 1, core::Backing::anonymous, editor}};
        sample.evicted = std::exchange(evicted_, Pages(0));
        return sample;
    }
    Result<core::EpochSample> poll_refaults() override {
        core::EpochSample sample;
        sample.scanned = false;
        sample.evicted = std::exchange(evicted_, Pages(0));
        return sample;
    }
    bool change_rate(int change) override { return change != 0; }
    [[nodiscard]] SourceTraits traits() const override { return {"one"}; }
    [[nodiscard]] std::string description() const override { return "one page"; }

private:
    Pages& evicted_;
};

class UnmappedFilesSourceTest : public testing::Test {
protected:
    // Ends an epoch. Returns the weight of the pages that were used beside that of the other source, by cgroup.
    std::map<core::CgroupId, Pages> sample(Seconds epoch = Seconds(10)) {
        EXPECT_TRUE(source_.due(epoch));
        EXPECT_TRUE(source_.prepare());
        auto sample = source_.sample();
        EXPECT_TRUE(sample) << sample.error().message();
        EXPECT_EQ(sample->referenced.at(0).key, mapped_key);
        std::map<core::CgroupId, Pages> used;
        std::set<core::PageKey> keys{mapped_key};
        for (std::size_t i = 1; i < sample->referenced.size(); ++i) {
            const core::SampledPage& page = sample->referenced[i];
            EXPECT_EQ(page.backing, core::Backing::file);
            EXPECT_TRUE(keys.insert(page.key).second);
            used[page.cgroup] += Pages(page.weight);
        }
        gone_ = sample->gone;
        return used;
    }

    FakeFiles files_;
    Seconds cpu_time_{0};
    Pages evicted_{0};
    UnmappedFilesSource source_{std::make_unique<OnePage>(evicted_),
                                KnownFiles(std::make_unique<FakeOpenFiles>(files_), [this] { return cpu_time_; }), installed,
                                core::AgeingPace(0.002, 0.002)};
    std::vector<core::PageKey> gone_;
};

using Used = std::map<core::CgroupId, Pages>;

TEST_F(UnmappedFilesSourceTest, AddsFilesByTheirCgroups) {
    files_.read = {{editor, {Pages(60), Pages(60), Pages(40)}}, {other, {Pages(0), Pages(0), Pages(20)}}};
    EXPECT_EQ(sample(), (Used{{editor, Pages(100)}, {other, Pages(20)}})) << "new pages";
    EXPECT_EQ(sample(), (Used{{editor, Pages(60)}})) << "no use of other files is known";
    files_.read[editor].used = Pages(30);
    EXPECT_EQ(sample(), (Used{{editor, Pages(30)}}));
    files_.read[editor].used = Pages(0);
    files_.read[other].others = Pages(30);
    EXPECT_EQ(sample(), (Used{{other, Pages(10)}}));
    EXPECT_EQ(gone_.size(), 0U);
}

TEST_F(UnmappedFilesSourceTest, FilesThatLeaveMemoryAreGone) {
    files_.read = {{editor, {Pages(60), Pages(0), Pages(40)}}, {other, {Pages(0), Pages(0), Pages(20)}}};
    sample();
    files_.read = {{editor, {Pages(20), Pages(0), Pages(30)}}};
    EXPECT_EQ(sample(), Used{});
    EXPECT_EQ(gone_.size(), 20U + 5U + 10U);
}

// A file that a program closes is no longer known to be used, and one that it opens is.
TEST_F(UnmappedFilesSourceTest, FilesAreOpenedAndClosed) {
    files_.read = {{editor, {Pages(0), Pages(0), Pages(100)}}};
    sample();
    files_.read = {{editor, {Pages(60), Pages(60), Pages(40)}}};
    EXPECT_EQ(sample(), (Used{{editor, Pages(60)}}));
    EXPECT_EQ(gone_.size(), 30U);
    files_.read = {{editor, {Pages(0), Pages(0), Pages(100)}}};
    EXPECT_EQ(sample(), (Used{{editor, Pages(60)}})) << "new among the others";
    EXPECT_EQ(gone_.size(), 30U);
}

TEST_F(UnmappedFilesSourceTest, LooksAsSeldomAsItCosts) {
    files_.read = {{editor, {Pages(60), Pages(60)}}};
    EXPECT_EQ(sample(Seconds(6)), Used{}) << "the first look comes after 10 s";
    EXPECT_EQ(sample(Seconds(6)), (Used{{editor, Pages(60)}}));
    EXPECT_EQ(sample(Seconds(9)), Used{});
    files_.on_read = [this] { cpu_time_ += Seconds(0.1); };
    EXPECT_EQ(sample(Seconds(1)), (Used{{editor, Pages(60)}}));
    EXPECT_EQ(sample(Seconds(49)), Used{}) << "0.1 s are 0.2 % of 50 s";
    EXPECT_EQ(sample(Seconds(1)), (Used{{editor, Pages(60)}}));
}

TEST_F(UnmappedFilesSourceTest, WaitsForTheFilesOnlyWhenItLooks) {
    files_.is_ready = false;
    EXPECT_TRUE(source_.due(Seconds(9)));
    EXPECT_TRUE(source_.prepare());
    EXPECT_TRUE(source_.due(Seconds(10)));
    EXPECT_FALSE(source_.prepare());
    files_.is_ready = true;
    EXPECT_TRUE(source_.prepare());
}

TEST_F(UnmappedFilesSourceTest, AnotherRateListsAllPagesAnew) {
    files_.read = {{editor, {Pages(60), Pages(0), Pages(40)}}};
    sample();
    EXPECT_EQ(sample(), Used{});
    EXPECT_FALSE(source_.change_rate(0));
    EXPECT_EQ(sample(), Used{});
    EXPECT_TRUE(source_.change_rate(1));
    EXPECT_EQ(sample(), (Used{{editor, Pages(100)}}));
    EXPECT_EQ(gone_.size(), 0U);
}

TEST_F(UnmappedFilesSourceTest, FilesThatNobodyCanLookAtStayUnused) {
    files_.read = {{editor, {Pages(60), Pages(60), Pages(40)}}};
    sample();
    files_.error = ETIMEDOUT;
    EXPECT_EQ(sample(), Used{});
    EXPECT_EQ(gone_.size(), 0U);
    EXPECT_NE(source_.problem().find("read(2) count as unused: tmmd-footprints"), std::string::npos) << source_.problem();
    files_.error = 0;
    EXPECT_EQ(sample(), (Used{{editor, Pages(60)}}));
    EXPECT_EQ(source_.problem(), "");
}

// Whether the poll or the sample tells of the evictions.
TEST_F(UnmappedFilesSourceTest, TheOldestPagesAreEvicted) {
    for (const bool is_polled : {true, false}) {
        source_.change_rate(1);
        files_.read = {{editor, {Pages(0), Pages(0), Pages(400)}}};
        sample();
        files_.read[editor].others = Pages(800);
        sample();
        sample();
        files_.read[editor].others = Pages(600);
        evicted_ = Pages(200);
        if (is_polled) {
            ASSERT_TRUE(source_.poll_refaults());
        }
        sample();
        EXPECT_EQ(gone_.size(), 100U);
        const core::PageKey first = core::PageKey{1} << 63;
        EXPECT_TRUE(std::ranges::all_of(gone_, [&](core::PageKey key) { return key >= first && key < first + 200; }));
        files_.read[editor].others = Pages(400);
        sample();
        EXPECT_TRUE(std::ranges::any_of(gone_, [&](core::PageKey key) { return key >= first + 200; })) << "freed, not evicted";
    }
}

TEST_F(UnmappedFilesSourceTest, TellsOfTheOtherSource) {
    EXPECT_EQ(source_.traits().id, "one");
    EXPECT_EQ(source_.description(), "one page");
    EXPECT_TRUE(source_.traits().can_learn);
    const auto polled = source_.poll_refaults();
    ASSERT_TRUE(polled);
    EXPECT_FALSE(polled->scanned);
}

}  // namespace
}  // namespace tmm::os
