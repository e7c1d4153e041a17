// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/generation_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <vector>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/cgroup_id.hpp"
#include "tmmd/os/sources/counts/fake_lru_gen.hpp"
#include "tmmd/os/sources/files/fake_open_files.hpp"
#include "tmmd/os/sources/source_accuracy.hpp"

namespace tmm::os {
namespace {

constexpr core::Pages installed(16384);  // so a sample stands for two pages

std::unique_ptr<OpenFiles> no_files() {
    return std::make_unique<NoOpenFiles>(Error(ENODEV, "a test"));
}

class GenerationSourceTest : public testing::Test {
protected:
    GenerationSourceTest() {
        counters(0, 0);
        source_.follow({"sys/fs/cgroup/transparent.slice"});
    }
    void counters(int stolen, int refaults) {
        tree_.file("proc/vmstat", "pgsteal_kswapd " + std::to_string(stolen) + "\npgsteal_direct 0\nworkingset_refault_anon " +
                                      std::to_string(refaults) + "\nworkingset_refault_file 0\n");
    }
    // Ends an epoch that is long enough for any use.
    core::EpochSample sample() {
        EXPECT_TRUE(source_.due(core::Seconds(160)));
        auto sample = source_.sample();
        EXPECT_TRUE(sample) << sample.error().message();
        return *std::move(sample);
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    FakeGenerations kernel_;
    core::Seconds cpu_time_{0};
    FakeFiles files_;
    GenerationSource source_{root_,
                             std::make_unique<FakeLruGen>(kernel_),
                             installed,
                             core::AgeingPace(0.002, 0.002),
                             [this] { return cpu_time_; },
                             std::make_unique<FakeOpenFiles>(files_)};
};

TEST_F(GenerationSourceTest, TheFirstSampleListsAllOpaquePages) {
    kernel_.add(100);
    kernel_.add(50, true);
    const core::EpochSample first = sample();
    ASSERT_EQ(first.referenced.size(), 75U);
    EXPECT_EQ(first.referenced[0].weight, 2U);
    EXPECT_EQ(std::count_if(first.referenced.begin(), first.referenced.end(),
                            [](const core::SampledPage& page) { return page.backing == core::Backing::file; }),
              25);
    EXPECT_FALSE(kernel_.guest_was_aged);
    EXPECT_TRUE(sample().referenced.empty());
}

TEST_F(GenerationSourceTest, ListsTheUsedPagesOfAnEpoch) {
    kernel_.add(100);
    sample();
    EXPECT_TRUE(sample().referenced.empty());
    for (std::size_t page = 0; page < 40; ++page)
        kernel_.use(page);
    const core::EpochSample second = sample();
    EXPECT_EQ(second.referenced.size(), 20U);
    EXPECT_TRUE(second.gone.empty());
    kernel_.pages.resize(90);
    EXPECT_EQ(sample().gone.size(), 5U);
}

TEST_F(GenerationSourceTest, TellsRefaultsAndEvictions) {
    kernel_.add(100);
    sample();
    counters(50, 6);
    ASSERT_TRUE(source_.poll_refaults()) << "they count one call later";
    const auto polled = source_.poll_refaults();
    ASSERT_TRUE(polled);
    EXPECT_FALSE(polled->scanned);
    EXPECT_EQ(polled->evicted, core::Pages(50));
    ASSERT_EQ(polled->refaults.size(), 1U);
    EXPECT_EQ(polled->refaults[0].pages, core::Pages(6));
    EXPECT_EQ(polled->refaults[0].distance_to, core::Pages(50));
    counters(70, 6);
    ASSERT_TRUE(source_.poll_refaults());
    EXPECT_EQ(sample().evicted, core::Pages(20));
}

TEST_F(GenerationSourceTest, PacesItselfByItsCost) {
    kernel_.add(10);
    const auto costly = std::make_shared<int>(0);
    GenerationSource source{root_,
                            std::make_unique<FakeLruGen>(kernel_),
                            installed,
                            core::AgeingPace(0.002, 0.002),
                            [costly] { return core::Seconds(0.1 * (*costly)++); },
                            no_files()};
    EXPECT_TRUE(source.due(core::Seconds(10)));
    ASSERT_TRUE(source.sample());
    // 0.1 s of the calls, and as much of the look at files.
    EXPECT_FALSE(source.due(core::Seconds(98)));
    EXPECT_TRUE(source.due(core::Seconds(102)));
}

TEST_F(GenerationSourceTest, UsesOfOldPagesCountAsFirstUsesUntilThePaceHasSettled) {
    kernel_.add(100);
    sample();
    sample();  // all pages are old now
    for (std::size_t page = 0; page < 100; ++page)
        kernel_.use(page);
    EXPECT_TRUE(source_.due(core::Seconds(10)));
    const auto early = source_.sample();
    ASSERT_TRUE(early);
    EXPECT_EQ(early->referenced.size(), 50U);
    EXPECT_EQ(early->gone.size(), 50U);
    for (int epoch = 0; epoch < 4; ++epoch)
        sample();
    for (std::size_t page = 0; page < 100; ++page)
        kernel_.use(page);
    const core::EpochSample late = sample();
    EXPECT_EQ(late.referenced.size(), 50U);
    EXPECT_TRUE(late.gone.empty());
}

TEST_F(GenerationSourceTest, TellsTheCgroupOfEachPage) {
    tree_.dir("sys/fs/cgroup/user.slice").dir("sys/fs/cgroup/system.slice");
    const core::CgroupId user = cgroup_id_of(root_, "/user.slice");
    const core::CgroupId system = cgroup_id_of(root_, "/system.slice");
    ASSERT_NE(user, core::unknown_cgroup);
    kernel_.add(100);
    kernel_.add(20, false, FakeGenerations::system);
    std::map<core::CgroupId, int> pages;
    for (const core::SampledPage& page : sample().referenced)
        ++pages[page.cgroup];
    EXPECT_EQ(pages, (std::map<core::CgroupId, int>{{user, 50}, {system, 10}}));
    kernel_.remove(FakeGenerations::system);
    EXPECT_EQ(sample().gone.size(), 10U);
}

TEST_F(GenerationSourceTest, ACgroupWithoutADirectoryIsUnknown) {
    kernel_.add(100);
    EXPECT_EQ(sample().referenced.at(0).cgroup, core::unknown_cgroup);
}

// The kernel leaves the pages of read(2) in their generation.
TEST_F(GenerationSourceTest, FilesThatAreReadCountAsUsed) {
    tree_.dir("sys/fs/cgroup/user.slice");
    const core::CgroupId user = cgroup_id_of(root_, "/user.slice");
    kernel_.add(100, true);
    files_.read = {{user, {core::Pages(60), core::Pages(60)}}};
    EXPECT_EQ(sample().referenced.size(), 50U) << "at first all pages came";
    EXPECT_EQ(sample().referenced.size(), 30U);
    const core::EpochSample third = sample();
    EXPECT_EQ(third.referenced.size(), 30U);
    EXPECT_EQ(third.referenced[0].backing, core::Backing::file);
    EXPECT_EQ(third.referenced[0].cgroup, user);
    EXPECT_TRUE(third.gone.empty());
    files_.read = {{user, {core::Pages(60), core::Pages(0)}}};
    EXPECT_TRUE(sample().referenced.empty());
    // Half of the file is evicted.
    kernel_.pages.resize(70);
    files_.read = {{user, {core::Pages(30), core::Pages(0)}}};
    const core::EpochSample evicted = sample();
    EXPECT_EQ(evicted.gone.size(), 15U);
    EXPECT_TRUE(evicted.referenced.empty());
}

TEST_F(GenerationSourceTest, FilesThatAreReadTellNothingOfThePace) {
    tree_.dir("sys/fs/cgroup/user.slice");
    kernel_.add(1000, true);
    const core::CgroupId user = cgroup_id_of(root_, "/user.slice");
    for (int epoch = 0; epoch < 4; ++epoch) {
        files_.read = {{user, {core::Pages(1000), core::Pages(epoch % 2 == 0 ? 1000 : 0)}}};
        EXPECT_TRUE(source_.due(core::Seconds(10))) << "old pages were used, but no reference bit told of it";
        ASSERT_TRUE(source_.sample());
    }
}

TEST_F(GenerationSourceTest, WithoutOpenFilesTheLastOnesCountAsUnused) {
    tree_.dir("sys/fs/cgroup/user.slice");
    kernel_.add(100, true);
    files_.read = {{cgroup_id_of(root_, "/user.slice"), {core::Pages(60), core::Pages(60)}}};
    sample();
    EXPECT_EQ(source_.problem(), "");
    files_.error = ETIMEDOUT;
    const core::EpochSample unknown = sample();
    EXPECT_TRUE(unknown.referenced.empty());
    EXPECT_TRUE(unknown.gone.empty());
    EXPECT_NE(source_.problem().find("read(2) count as unused: tmmd-footprints"), std::string::npos) << source_.problem();
    files_.error = 0;
    EXPECT_EQ(sample().referenced.size(), 30U);
    EXPECT_EQ(source_.problem(), "");
    files_.is_ready = false;
    EXPECT_FALSE(source_.prepare());
}

TEST_F(GenerationSourceTest, AnyOldPageMayBeUsed) {
    kernel_.add(2000);
    std::set<core::PageKey> early;
    for (const core::SampledPage& page : sample().referenced)
        early.insert(page.key);
    for (int quiet = 0; quiet < 4; ++quiet)
        sample();
    kernel_.add(2000);
    for (int quiet = 0; quiet < 3; ++quiet)
        sample();
    for (std::size_t page = 0; page < 1000; ++page)
        kernel_.use(page);
    const core::EpochSample used = sample();
    const auto of_early = std::count_if(used.referenced.begin(), used.referenced.end(),
                                        [&](const core::SampledPage& page) { return early.contains(page.key); });
    EXPECT_EQ(used.referenced.size(), 500U);
    EXPECT_NEAR(static_cast<double>(of_early), 250, 10) << "recent pages were not used at all, so age tells nothing";
}

// Epochs of 20 s are right for a loop of 15 s. After 30 of them the source tries 10 s, and a third of the loop is old when it is
// used.
TEST_F(GenerationSourceTest, ShorterEpochsMakeNoForgottenPageUsed) {
    kernel_.add(6000);
    const Workload workload = loop(3000, 15);
    std::set<core::PageKey> used;
    std::vector<int> lengths{0};
    for (int second = 0; second < 2000; ++second) {
        workload(second, [&](std::size_t page) { kernel_.use(page); });
        ++lengths.back();
        if (!source_.due(core::Seconds(lengths.back())))
            continue;
        const auto epoch = source_.sample();
        ASSERT_TRUE(epoch);
        for (const core::SampledPage& page : epoch->referenced) {
            if (second > 1000)
                used.insert(page.key);
        }
        lengths.push_back(0);
    }
    EXPECT_EQ(std::count(lengths.begin() + 10, lengths.end(), 10), 2) << "one attempt fails";
    EXPECT_EQ(used.size(), 1500U) << "the pages of the loop";
}

TEST_F(GenerationSourceTest, ABrokenFileIsAnError) {
    kernel_.add(10);
    sample();
    EXPECT_FALSE(source_.has_failed());
    kernel_.error = EPERM;
    EXPECT_TRUE(source_.has_failed());
    EXPECT_EQ(source_.sample().error().code(), EPERM);
    EXPECT_TRUE(source_.poll_refaults()) << "it needs no generations";
}

// The differential tests: the same limits as from exact reference bits.
std::pair<Outcome, Outcome> generation_outcomes(const Workload& workload, std::size_t pages, std::size_t nr_system = 0) {
    return compare_with_exact(workload, pages, nr_system, [&](const RootDir& root) {
        auto kernel = std::make_shared<FakeGenerations>();
        kernel->add(pages - nr_system);
        kernel->add(nr_system, false, FakeGenerations::system);
        return MeasuredSource{std::make_unique<GenerationSource>(
                                  root, std::make_unique<FakeLruGen>(*kernel), accuracy_installed, core::AgeingPace(0.002, 0.002),
                                  [] { return core::Seconds(0); }, no_files()),
                              [kernel](std::size_t page) { kernel->use(page); }};
    });
}

TEST(GenerationSourceAccuracy, ALoopBesideForgottenPages) {
    for (const int period : {5, 20, 60, 290}) {
        const auto [exact, estimated] = generation_outcomes(loop(6000, period), 10000);
        EXPECT_NEAR(estimated.limit, exact.limit, 0.01) << "a loop of " << period << " s";
    }
}

// One cgroup is in use; the other one's memory is larger, and forgotten.
TEST(GenerationSourceAccuracy, EachCgroupKeepsWhatItUses) {
    for (const int period : {5, 20, 60, 290}) {
        const auto [exact, estimated] = generation_outcomes(loop(4000, period), 11000, 6000);
        EXPECT_NEAR(estimated.limit, exact.limit, 0.01) << "a loop of " << period << " s";
        EXPECT_NEAR(estimated.user, exact.user, 0.01) << "a loop of " << period << " s";
        EXPECT_NEAR(estimated.system, exact.system, 0.01) << "a loop of " << period << " s";
    }
}

TEST(GenerationSourceAccuracy, PopularityThatFalls) {
    for (const double exponent : {0.6, 0.9, 1.2}) {
        const auto [exact, estimated] = generation_outcomes(by_rank(exponent), 12000);
        EXPECT_NEAR(estimated.limit, exact.limit, 0.09) << "exponent " << exponent;
    }
}

}  // namespace
}  // namespace tmm::os
