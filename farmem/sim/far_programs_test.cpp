// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What programs on far memory may expect of each other, in simulations of a fraction of a second. experiments/09-far-programs has
// all patterns, longer.
#include <gtest/gtest.h>

#include <algorithm>

#include "farmem/sim/options.hpp"

namespace tmm::far {

namespace {

using Arguments = std::vector<std::string>;

const Arguments shared{"--without=fair,demand-first,drop-late,reissue"};

SimOutcome simulate(Arguments arguments, const Arguments& more = {}) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), {"--warm-up=0.3", "--seconds=0.3"});
    auto options = parse_replay_options(arguments);
    EXPECT_TRUE(options) << options.error().message();
    Simulator simulator(options->link, options->rules);
    for (auto& [spec, behaviour] : options->programs)
        simulator.add(spec, std::move(behaviour));
    return simulator.run(options->warm_up, options->duration);
}

class BesideAHeavyProgram : public testing::Test {
protected:
    // The least pace of two light programs beside 24 threads, of their pace alone.
    [[nodiscard]] double least_pace(const Arguments& more) const {
        const SimOutcome together = simulate({heavy_, four_, one_}, more);
        return std::min(together.pace(1) / simulate({four_}).pace(0), together.pace(2) / simulate({one_}).pace(0));
    }

    const std::string heavy_ = "pattern=runs,threads=24,pages=12000";
    const std::string four_ = "pattern=runs,threads=4,pages=4000,work-us=40";
    const std::string one_ = "pattern=runs,pages=2000,work-us=20";
};

TEST_F(BesideAHeavyProgram, LightOnesKeepTheirPace) {
    EXPECT_GT(least_pace({}), 0.4);
    EXPECT_LT(least_pace(shared), 0.2);
}

TEST_F(BesideAHeavyProgram, WeightsDivideTheLink) {
    const SimOutcome outcome = simulate({heavy_ + ",weight=3", heavy_ + ",weight=1"});
    EXPECT_NEAR(static_cast<double>(outcome.programs[0].fetched) / static_cast<double>(outcome.programs[1].fetched), 3, 0.05);
}

TEST_F(BesideAHeavyProgram, TheLinkCarriesUsefulBytes) {
    EXPECT_GT(simulate({heavy_, four_, one_}).useful_share(), 0.9);
    EXPECT_LT(simulate({heavy_, four_, one_}, {"--without=drop-late"}).useful_share(),
              simulate({heavy_, four_, one_}).useful_share());
}

TEST_F(BesideAHeavyProgram, ReissuingBoundsTheWait) {
    const auto worst = [&](const Arguments& more) {
        return simulate({heavy_, four_, one_}, more).programs[0].wait_quantile(0.99);
    };
    EXPECT_LT(worst({}) * 4, worst({"--without=reissue"}));
}

TEST_F(BesideAHeavyProgram, PrefetchesGiveWayWhereTheLinkIsFull) {
    const auto run = [&](Arguments programs, const Arguments& more) {
        programs.insert(programs.end(), {"--gbit=1", "--latency-us=10"});
        return simulate(std::move(programs), more);
    };
    const auto pace = [&](const Arguments& programs, const Arguments& more) { return run(programs, more).pace(0); };
    const std::string light = "pattern=sequential,pages=2000,work-us=2";
    EXPECT_GT(pace({light}, {}), 1.25 * pace({light}, {"--prefetch=none"})) << "a link with room";
    EXPECT_GT(pace({light, heavy_}, {}), 0.98 * pace({light, heavy_}, {"--prefetch=none"}));
    const auto slowest = [&](const Arguments& more) { return run({light, heavy_}, more).programs[0].wait_quantile(0.99); };
    EXPECT_GT(slowest({"--batch=8"}), 4 * slowest({})) << "requests of eight pages";
}

// A full link sends few of the prefetches in time. To ask for more of them would fetch pages beyond the ends of runs.
TEST(FarPrograms, AFullLinkDoesNotWidenWindows) {
    const SimOutcome outcome =
        simulate({"pattern=runs,pages=4000,work-us=5", "pattern=zipf,pages=2000,work-us=20", "--gbit=0.5"});
    EXPECT_GT(outcome.programs[0].dropped, outcome.programs[0].used) << "the link is full";
    EXPECT_GT(outcome.programs[0].accuracy(), 0.9);
}

TEST(FarPrograms, PrefetchesDoNotDelayDemand) {
    const std::string random = "pattern=random,threads=2,pages=4000";
    const std::string scans = "pattern=sequential,threads=4,pages=8000";
    const auto quiet = simulate({random}, {"--prefetch=none", "--gbit=10"}).programs[0].wait_quantile(0.99);
    EXPECT_LE(simulate({random, scans}, {"--gbit=10"}).programs[0].wait_quantile(0.99), quiet * 3 / 2);
    EXPECT_GT(simulate({random, scans, "--gbit=10"}, shared).programs[0].wait_quantile(0.99), quiet * 3 / 2);
}

class Prefetching : public testing::TestWithParam<const char*> {};

TEST_P(Prefetching, CoversWithinThreePointsOfTheBest) {
    const std::string program = std::string("work-us=20,pages=4000,pattern=") + GetParam();
    const SimOutcome own = simulate({program}, {"--gbit=10"});
    for (const char* other : {"cluster", "leap", "leap-thread"})
        EXPECT_GE(own.programs[0].coverage(),
                  simulate({program}, {"--gbit=10", std::string("--prefetch=") + other}).programs[0].coverage() - 0.03)
            << other;
    EXPECT_GE(own.programs[0].accuracy(), 0.7);
}

INSTANTIATE_TEST_SUITE_P(Patterns, Prefetching,
                         testing::Values("sequential,threads=4", "quicksort", "stride", "columns", "scan", "runs", "list",
                                         "tree"));

TEST(FarPrograms, KeptEntriesSaveAllocationsAndWrites) {
    const std::string redis = "pattern=zipf,pages=2000,quota=100,writes=50,work-us=1";
    const Figures kept = simulate({redis}).programs[0];
    EXPECT_LE(static_cast<double>(kept.entries.allocations), 0.2 * static_cast<double>(kept.entries.evictions));
    EXPECT_GT(kept.writes_saved, kept.writes / 4);
    const Figures forgotten = simulate({redis}, {"--without=keep"}).programs[0];
    EXPECT_EQ(forgotten.entries.allocations, forgotten.entries.evictions);
}

TEST(FarPrograms, APageThatLostItsEntryStays) {
    const std::string redis = "pattern=zipf,pages=2000,quota=90,writes=50,work-us=1";
    const Figures stays = simulate({redis}).programs[0];
    const Figures leaves = simulate({redis}, {"--without=stay"}).programs[0];
    EXPECT_LE(static_cast<double>(stays.entries.allocations), 0.2 * static_cast<double>(stays.entries.evictions));
    EXPECT_LT(3 * stays.entries.allocations, 2 * leaves.entries.allocations);
    EXPECT_LE(stays.misses * leaves.accesses, leaves.misses * stays.accesses) << "misses per access";
}

}  // namespace

}  // namespace tmm::far
