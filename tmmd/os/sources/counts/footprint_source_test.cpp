// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/footprint_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "base/temp_tree.hpp"
#include "tmmd/os/sources/source_accuracy.hpp"

namespace tmm::os {
namespace {

// Processes of two cgroups, page by page. The source owns the fakes and shares the state with the test.
struct FakeMemory {
    struct Page {
        core::CgroupId cgroup;
        bool referenced = true;
    };
    std::vector<Page> pages;
    int clears = 0;
    int error = 0;  // of the next calls
    bool prepared = true;
    core::Seconds read_cost{0};
    core::Seconds clear_cost{0};
    core::Seconds cpu_time{0};
};

class FakeFootprints : public Footprints {
public:
    explicit FakeFootprints(FakeMemory& memory) : memory_(memory) {}
    bool prepare(const std::vector<std::string>&) override { return memory_.prepared; }
    Result<std::map<core::CgroupId, core::Footprint>> read(const std::vector<std::string>&) override {
        memory_.cpu_time += memory_.read_cost;
        if (memory_.error != 0)
            return Error::from_errno(memory_.error, "smaps_rollup");
        std::map<core::CgroupId, core::Footprint> footprints;
        for (const FakeMemory::Page& page : memory_.pages) {
            core::Footprint& footprint = footprints[page.cgroup];
            footprint.resident[0] += core::Pages(1);
            footprint.referenced[0] += core::Pages(page.referenced ? 1 : 0);
        }
        return footprints;
    }
    Result<void> clear() override {
        ++memory_.clears;
        memory_.cpu_time += memory_.clear_cost;
        for (FakeMemory::Page& page : memory_.pages)
            page.referenced = false;
        return {};
    }
    [[nodiscard]] core::Seconds cpu_time() const override { return memory_.cpu_time; }

private:
    FakeMemory& memory_;
};

class FootprintSourceTest : public testing::Test {
protected:
    FootprintSourceTest() { counters(0); }
    void counters(int stolen) {
        tree_.file("proc/vmstat", "pgsteal_kswapd " + std::to_string(stolen) +
                                      "\npgsteal_direct 0\nworkingset_refault_anon 0\nworkingset_refault_file 0\n");
    }
    core::EpochSample sample() {
        EXPECT_TRUE(source_.due(core::Seconds(160)));
        auto sample = source_.sample();
        EXPECT_TRUE(sample) << sample.error().message();
        return *std::move(sample);
    }
    void use(std::size_t from, std::size_t until) {
        for (std::size_t page = from; page < until; ++page)
            memory_.pages[page].referenced = true;
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    FakeMemory memory_;
    FootprintSource source_{root_, std::make_unique<FakeFootprints>(memory_), accuracy_installed, core::AgeingPace(0.002, 0.002)};
};

TEST_F(FootprintSourceTest, ListsUsedPagesWithTheirCgroup) {
    memory_.pages.assign(100, {7});
    memory_.pages.resize(120, {8});
    EXPECT_EQ(sample().referenced.size(), 60U) << "at first all pages came";
    use(0, 40);
    const core::EpochSample second = sample();
    EXPECT_EQ(second.referenced.size(), 20U);
    EXPECT_TRUE(std::all_of(second.referenced.begin(), second.referenced.end(),
                            [](const core::SampledPage& page) { return page.cgroup == 7; }));
    memory_.pages.resize(100);
    EXPECT_EQ(sample().gone.size(), 10U);
}

TEST_F(FootprintSourceTest, ClearsOnceInTwoEpochs) {
    memory_.pages.assign(100, {7});
    std::vector<int> clears;
    for (int epoch = 0; epoch < 5; ++epoch) {
        sample();
        clears.push_back(memory_.clears);
    }
    EXPECT_EQ(clears, (std::vector<int>{1, 1, 2, 2, 3}));
}

TEST_F(FootprintSourceTest, ClearsLessOftenWhileMemoryIsEvicted) {
    memory_.pages.assign(100, {7});
    counters(10);
    sample();
    EXPECT_EQ(memory_.clears, 1) << "without it nothing would be known";
    for (int epoch = 1; epoch < core::FootprintTracker::max_epochs_per_window; ++epoch) {
        counters(10 + epoch);
        ASSERT_TRUE(source_.poll_refaults());
        sample();
        EXPECT_EQ(memory_.clears, 1) << epoch;
    }
    counters(100);
    sample();
    EXPECT_EQ(memory_.clears, 2);
    sample();
    sample();
    EXPECT_EQ(memory_.clears, 3) << "nothing is evicted any more";
}

TEST_F(FootprintSourceTest, PacesItselfByItsCost) {
    memory_.pages.assign(10, {7});
    memory_.read_cost = core::Seconds(0.1);
    memory_.clear_cost = core::Seconds(0.1);
    EXPECT_TRUE(source_.due(core::Seconds(10)));
    ASSERT_TRUE(source_.sample());
    EXPECT_FALSE(source_.due(core::Seconds(49)));
    EXPECT_TRUE(source_.due(core::Seconds(50)));
    ASSERT_TRUE(source_.sample());
    EXPECT_FALSE(source_.due(core::Seconds(62))) << "what clearing cost counts, too";
}

TEST_F(FootprintSourceTest, IsPreparedAsItsFootprintsAre) {
    EXPECT_TRUE(source_.prepare());
    memory_.prepared = false;
    EXPECT_FALSE(source_.prepare());
}

TEST_F(FootprintSourceTest, AFailedReadIsAnError) {
    memory_.pages.assign(10, {7});
    sample();
    memory_.error = EACCES;
    EXPECT_EQ(source_.sample().error().code(), EACCES);
    EXPECT_TRUE(source_.poll_refaults()) << "it needs no processes";
}

std::pair<Outcome, Outcome> footprint_outcomes(const Workload& workload, std::size_t pages, std::size_t nr_system = 0) {
    return compare_with_exact(workload, pages, nr_system, [&](const RootDir& root) {
        auto memory = std::make_shared<FakeMemory>();
        memory->pages.assign(pages - nr_system, {cgroup_id_of(root, "/user.slice")});
        memory->pages.resize(pages, {cgroup_id_of(root, "/system.slice")});
        return MeasuredSource{std::make_unique<FootprintSource>(root, std::make_unique<FakeFootprints>(*memory),
                                                                accuracy_installed, core::AgeingPace(0.002, 0.002)),
                              [memory](std::size_t page) { memory->pages[page].referenced = true; }};
    });
}

TEST(FootprintSourceAccuracy, ALoopBesideForgottenPages) {
    for (const int period : {5, 20, 60, 290}) {
        const auto [exact, estimated] = footprint_outcomes(loop(6000, period), 10000);
        EXPECT_NEAR(estimated.limit, exact.limit, 0.01) << "a loop of " << period << " s";
    }
}

TEST(FootprintSourceAccuracy, EachCgroupKeepsWhatItUses) {
    for (const int period : {5, 20, 60, 290}) {
        const auto [exact, estimated] = footprint_outcomes(loop(4000, period), 11000, 6000);
        EXPECT_NEAR(estimated.limit, exact.limit, 0.01) << "a loop of " << period << " s";
        EXPECT_NEAR(estimated.user, exact.user, 0.01) << "a loop of " << period << " s";
        EXPECT_NEAR(estimated.system, exact.system, 0.01) << "a loop of " << period << " s";
    }
}

TEST(FootprintSourceAccuracy, PopularityThatFalls) {
    for (const double exponent : {0.6, 0.9, 1.2}) {
        const auto [exact, estimated] = footprint_outcomes(by_rank(exponent), 12000);
        EXPECT_NEAR(estimated.limit, exact.limit, 0.09) << "exponent " << exponent;
    }
}

}  // namespace
}  // namespace tmm::os
