// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/generation_source.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>

#include "base/temp_tree.hpp"
#include "tmmd/core/histogram/resident_set.hpp"
#include "tmmd/core/policy/policy.hpp"
#include "tmmd/os/stock/fake_lru_gen.hpp"

namespace tmm::os {
namespace {

constexpr core::Pages installed(16384);  // so a sample stands for two pages

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
    GenerationSource source_{root_, std::make_unique<FakeLruGen>(kernel_), installed, core::AgeingPace(0.002, 0.002),
                             [this] { return cpu_time_; }};
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
    const auto polled = source_.poll_refaults();
    ASSERT_TRUE(polled);
    EXPECT_FALSE(polled->scanned);
    EXPECT_EQ(polled->evicted, core::Pages(50));
    ASSERT_EQ(polled->refaults.size(), 1U);
    EXPECT_EQ(polled->refaults[0].pages, core::Pages(6));
    EXPECT_EQ(polled->refaults[0].distance_to, core::Pages(50));
    counters(70, 6);
    EXPECT_EQ(sample().evicted, core::Pages(20));
}

TEST_F(GenerationSourceTest, PacesItselfByItsCost) {
    kernel_.add(10);
    const auto costly = std::make_shared<int>(0);
    GenerationSource source{root_, std::make_unique<FakeLruGen>(kernel_), installed, core::AgeingPace(0.002, 0.002),
                            [costly] { return core::Seconds(0.1 * (*costly)++); }};
    EXPECT_TRUE(source.due(core::Seconds(10)));
    ASSERT_TRUE(source.sample());
    EXPECT_FALSE(source.due(core::Seconds(49)));
    EXPECT_TRUE(source.due(core::Seconds(50)));
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

TEST_F(GenerationSourceTest, ABrokenFileIsAnError) {
    kernel_.add(10);
    sample();
    kernel_.error = EPERM;
    EXPECT_EQ(source_.sample().error().code(), EPERM);
    EXPECT_TRUE(source_.poll_refaults()) << "it needs no generations";
}

// A workload: the pages that the owner uses in each second.
using Workload = std::function<void(int second, const std::function<void(std::size_t)>& use)>;

// Returns the opaque limits, as shares of memory, that the policy derives from the exact reference bits of each epoch and from
// the generations.
std::pair<double, double> limits(const Workload& workload, std::size_t pages, int seconds) {
    TempTree tree;
    tree.file("proc/vmstat", "pgsteal_kswapd 0\npgsteal_direct 0\nworkingset_refault_anon 0\nworkingset_refault_file 0\n");
    const RootDir root = tree.root();
    FakeGenerations kernel;
    kernel.add(pages);
    GenerationSource source(root, std::make_unique<FakeLruGen>(kernel), installed, core::AgeingPace(0.002, 0.002),
                            [] { return core::Seconds(0); });
    core::ResidentSet resident;
    std::vector<char> used(pages, 0);
    core::Policy exact(core::PolicyParameters{}, installed);
    core::Policy estimate(core::PolicyParameters{}, installed);
    const core::MemoryUsage usage{installed, core::Pages(pages), core::Pages(0)};
    std::pair<double, double> found;
    int epoch = 0;
    for (int second = 0; second <= seconds; ++second) {
        const core::AwakeTime now(std::chrono::seconds(second + 1));
        if (second % 2 == 0) {
            std::vector<core::ScannedPage> scan;
            for (std::size_t page = 0; page < pages; ++page)
                scan.push_back({page, 1, std::exchange(used[page], 0) != 0, core::Backing::anonymous});
            core::EpochSample sample = resident.update(std::move(scan));
            sample.active = core::Seconds(1);
            found.first = ratio(exact.step(sample, usage, now).opaque_limit, installed);
        }
        if (second == 0 || source.due(core::Seconds(second - epoch))) {
            auto sample = source.sample();
            EXPECT_TRUE(sample);
            sample->active = core::Seconds(1);
            found.second = ratio(estimate.step(*sample, usage, now).opaque_limit, installed);
            epoch = second;
        }
        workload(second, [&](std::size_t page) {
            kernel.use(page);
            used[page] = 1;
        });
    }
    return found;
}

// Uses so many pages in turn, once in so many seconds.
Workload loop(std::size_t pages, int period) {
    return [=](int second, const auto& use) {
        const auto phase = static_cast<std::size_t>(second % period);
        for (std::size_t page = phase * pages / static_cast<std::size_t>(period);
             page < (phase + 1) * pages / static_cast<std::size_t>(period); ++page)
            use(page);
    };
}

// The differential tests: the same limits as from exact reference bits.
TEST(GenerationSourceAccuracy, ALoopBesideForgottenPages) {
    for (const int period : {5, 20, 60, 150}) {
        const auto [exact, estimated] = limits(loop(6000, period), 10000, 3600);
        EXPECT_NEAR(estimated, exact, 0.035) << "a loop of " << period << " s";
    }
}

TEST(GenerationSourceAccuracy, PopularityThatFalls) {
    for (const double exponent : {0.6, 0.9, 1.2}) {
        std::vector<double> sums;
        double sum = 0;
        for (int rank = 1; rank <= 10000; ++rank)
            sums.push_back(sum += std::pow(rank, -exponent));
        std::uint64_t state = 1;
        const Workload zipf = [&](int, const auto& use) {
            for (int i = 0; i < 400; ++i) {
                state = state * 6364136223846793005 + 1442695040888963407;
                const double draw = static_cast<double>(state >> 11) / static_cast<double>(1ULL << 53) * sum;
                use(static_cast<std::size_t>(std::lower_bound(sums.begin(), sums.end(), draw) - sums.begin()));
            }
        };
        const auto [exact, estimated] = limits(zipf, 12000, 3600);
        EXPECT_GE(estimated, exact) << "it errs for the owner, exponent " << exponent;
        EXPECT_LT(estimated, exact + 0.07) << "exponent " << exponent;
    }
}

}  // namespace
}  // namespace tmm::os
