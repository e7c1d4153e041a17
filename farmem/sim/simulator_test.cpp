// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/sim/simulator.hpp"

#include <gtest/gtest.h>

#include "farmem/sim/options.hpp"

namespace tmm::far {

namespace {

SimOutcome run_replay(const std::vector<std::string>& arguments) {
    auto options = parse_replay_options(arguments);
    EXPECT_TRUE(options) << options.error().message();
    Simulator simulator(options->link, options->rules);
    for (auto& [spec, behaviour] : options->programs)
        simulator.add(spec, std::move(behaviour));
    return simulator.run(options->warm_up, options->duration);
}

TEST(Simulator, GivesTheSameAgain) {
    const std::vector<std::string> arguments{"--warm-up=0.1", "--seconds=0.2", "pattern=zipf,threads=4,pages=2000,writes=20",
                                             "pattern=scan,pages=2000"};
    EXPECT_EQ(table_of(run_replay(arguments), true), table_of(run_replay(arguments), true));
}

TEST(Simulator, AFaultCostsTheLink) {
    // A page takes 1 ms, and 1 ms to arrive; each access is a miss, since a list comes back to no page in local memory.
    const SimOutcome outcome = run_replay({"--gbit=0.032768", "--latency-us=1000", "--prefetch=none", "--warm-up=0.1",
                                           "--seconds=1", "pattern=list,pages=100,local=20,work-us=0"});
    const Figures& figures = outcome.programs[0];
    EXPECT_EQ(figures.misses, figures.accesses);
    EXPECT_NEAR(static_cast<double>(figures.misses), 1000 / 2.006, 2);
    EXPECT_EQ(figures.wait_quantile(0.5), std::chrono::milliseconds(2));
    EXPECT_EQ(figures.wait_quantile(1), std::chrono::milliseconds(2));
}

TEST(Simulator, LocalMemoryMakesNoFaults) {
    const SimOutcome outcome = run_replay({"--warm-up=0.1", "--seconds=0.1", "pattern=random,pages=1000,local=101"});
    EXPECT_EQ(outcome.programs[0].misses, 0U);
    EXPECT_EQ(outcome.programs[0].entries.evictions, 0U);
}

TEST(Simulator, CleanPagesLeaveWithoutAWrite) {
    const SimOutcome clean = run_replay({"--warm-up=0.5", "--seconds=0.5", "pattern=random,pages=1000,quota=200"});
    EXPECT_EQ(clean.programs[0].writes, 0U);
    EXPECT_EQ(clean.programs[0].entries.allocations, 0U);
    const SimOutcome written = run_replay({"--warm-up=0.5", "--seconds=0.5", "pattern=random,pages=1000,quota=200,writes=100"});
    EXPECT_EQ(written.programs[0].writes_saved, 0U);
    EXPECT_EQ(written.programs[0].entries.allocations, 0U);
    const SimOutcome forgetful =
        run_replay({"--without=keep", "--warm-up=0.5", "--seconds=0.5", "pattern=random,pages=1000,quota=200"});
    EXPECT_EQ(forgetful.programs[0].writes_saved, 0U);
    EXPECT_EQ(forgetful.programs[0].entries.allocations, forgetful.programs[0].entries.evictions);
}

TEST(Simulator, ReplaysARecording) {
    std::vector<RecordedFault> faults;
    for (std::uint64_t i = 0; i < 100; ++i)
        faults.push_back({i * 1000, 0, 5, i, FaultKind::read, 50});
    faults.push_back({200'000, 1, 6, 0, FaultKind::zero, 0});
    Simulator simulator({}, {});
    simulator.add({.name = "recorded", .limit_pages = 50, .quota_pages = 200}, behaviour_of(faults));
    const SimOutcome outcome = simulator.run({}, std::chrono::seconds(1));
    EXPECT_EQ(outcome.programs[0].accesses, 101U);
    EXPECT_EQ(outcome.programs[0].misses, 3U);
    EXPECT_EQ(outcome.programs[0].hits, 97U);
    EXPECT_EQ(outcome.programs[0].unused, 0U);
}

TEST(ReplayOptions, RefusesNonsense) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{},
                                                                                           {"--gbit=x", "pattern=list"},
                                                                                           {"--gbit=0", "pattern=list"},
                                                                                           {"--prefetch=magic", "pattern=list"},
                                                                                           {"--without=luck", "pattern=list"},
                                                                                           {"--fast", "pattern=list"},
                                                                                           {"--batch=0", "pattern=list"},
                                                                                           {"--batch=65", "pattern=list"},
                                                                                           {"pattern=walk"},
                                                                                           {"pattern=list,threads=0"},
                                                                                           {"pattern=list,weight=101"},
                                                                                           {"pattern=list,local=10,quota=50"},
                                                                                           {"pattern=list,colour=red"},
                                                                                           {"file=/nowhere"},
                                                                                           {"pattern=list,pages=nan"},
                                                                                           {"pattern=list,work-us=-1"}})
        EXPECT_FALSE(parse_replay_options(arguments));
}

}  // namespace

}  // namespace tmm::far
