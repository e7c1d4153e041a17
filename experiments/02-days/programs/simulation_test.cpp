// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "simulation.hpp"

#include <gtest/gtest.h>

#include "fixtures.hpp"

namespace tmm::days {
namespace {

constexpr std::uint64_t mb = 1 << 20;

// A loop all day, and a set for ten minutes every two hours.
constexpr auto owner_text =
    "[Owner]\nLength = 10h\nPresenceJitter = 5 min\n[Presence]\nmon = 01:00-04:00 04:30-09:00\n[Patterns]\npattern = 1\n";
constexpr auto pattern_text =
    "[Set loop]\nSize = 90 MB\nVary = 0.1\n[Set rare]\nSize = 60 MB\n"
    "[Use loop]\nRound = 60 s\n[Use rare]\nEvery = 2 h\nJitter = 20 min\nFor = 10 min\nOrder = zipf\nRound = 60 s\n";

Trace trace_with(std::uint64_t unit_bytes, std::uint64_t seed = 1) {
    return made(owner_text, pattern_text, {.memory_bytes = 256 * mb, .unit_bytes = unit_bytes, .scale = 1, .seed = seed});
}

Machine machine_of(const Trace& trace, const std::string& store = "hdd") {
    return machine_for(trace, static_cast<std::uint32_t>(256 * mb / trace.unit_bytes), store);
}

Outcome outcome_of(const Trace& trace, const std::string& system, const std::string& store = "hdd") {
    const Machine machine = machine_of(trace, store);
    return simulate(trace, machine, *make_system(system, machine));
}

// Gives all away.
class Broken : public System {
public:
    void tick(const Second& /*second*/, LruMemory& memory) override { memory.set_limit(0); }
};

TEST(TraceTest, TheSameSeedGivesTheSameDays) {
    const Trace one = trace_with(mb, 5);
    const Trace same = trace_with(mb, 5);
    const Trace other = trace_with(mb, 6);
    ASSERT_EQ(one.events.size(), same.events.size());
    for (std::size_t i = 0; i < one.events.size(); ++i) {
        ASSERT_EQ(one.events[i].second, same.events[i].second);
        ASSERT_EQ(one.events[i].unit, same.events[i].unit);
    }
    EXPECT_EQ(one.returns, same.returns);
    EXPECT_NE(one.returns, other.returns);
    EXPECT_NE(one.nr_units(), other.nr_units());
}

TEST(TraceTest, TheOwnerComesBackAfterEachBreak) {
    const Trace trace = trace_with(mb);
    ASSERT_EQ(trace.returns.size(), 1U) << "the first arrival is no return";
    EXPECT_NEAR(trace.returns[0], 4.5 * 3600, 300);
}

TEST(TraceTest, ProgramsThatQuitFreeTheirMemory) {
    const Trace trace =
        made("[Owner]\nLength = 1h\n[Presence]\nmon = 00:00-24:00\n[Patterns]\npattern = 1\n",
             "[Set a]\nSize = 10 MB\n[Use a]\nFirst = 0\nEvery = 10 min\nNew = yes\nFree = yes\nFill = 5 s\nFor = 60 s\n",
             {.memory_bytes = 256 * mb, .unit_bytes = mb, .scale = 2, .seed = 1});
    EXPECT_EQ(trace.nr_units(), 6 * 20U);
    std::size_t freed = 0;
    for (const Event& event : trace.events)
        freed += event.frees;
    EXPECT_EQ(freed, trace.nr_units());
}

TEST(TraceTest, SetsShareTheCgroupThatTheyName) {
    const Trace trace =
        made("[Owner]\nLength = 1 h\n[Presence]\nmon-sun = 00:00-24:00\n[Patterns]\npattern = 1\n",
             "[Set a]\nSize = 1 MB\n[Set b]\nSize = 1 MB\nCgroup = x\n[Set c]\nSize = 1 MB\nCgroup = x\n[Set d]\nSize = 1 MB\n"
             "[Use a]\nCpu = 0.1\n[Use b]\nCpu = 0.1\n[Use c]\nCpu = 0.1\n[Use d]\nCpu = 0.1\n",
             {.memory_bytes = 64 << 20, .unit_bytes = 1 << 20});
    EXPECT_EQ(trace.cgroup_of, (std::vector<std::uint16_t>{0, 1, 1, 0}));
}

TEST(TraceTest, AtMostSoManyInstancesAreKept) {
    const Trace trace =
        made("[Owner]\nLength = 2h\n[Presence]\nmon = 00:00-24:00\n[Patterns]\npattern = 1\n",
             "[Set tab]\nSize = 4 MB\n[Use tab]\nFirst = 0\nEvery = 5 min\nNew = yes\nKeep = 3\nFor = 60 s\nRound = 4 s\n",
             {.memory_bytes = 256 * mb, .unit_bytes = mb, .scale = 1, .seed = 1});
    std::size_t freed = 0;
    for (const Event& event : trace.events)
        freed += event.frees;
    EXPECT_EQ(trace.nr_units(), 24 * 4U);
    EXPECT_EQ(freed, 21 * 4U);
}

TEST(SimulationTest, TheSameDaysGiveTheSameOutcome) {
    for (const std::string& name : system_names()) {
        const Outcome one = outcome_of(trace_with(mb), name);
        const Outcome same = outcome_of(trace_with(mb), name);
        EXPECT_EQ(one.donated, same.donated) << name;
        EXPECT_EQ(one.waited, same.waited) << name;
        EXPECT_EQ(one.misses, same.misses) << name;
    }
}

TEST(SimulationTest, ABrokenSystemLetsTheOwnerWait) {
    const Trace trace = trace_with(mb);
    Broken broken;
    const Outcome outcome = simulate(trace, machine_of(trace), broken);
    EXPECT_GT(outcome.waited, 3600);
    ASSERT_EQ(outcome.returns.size(), 1U);
    EXPECT_GT(outcome.returns[0], 30);
    EXPECT_GE(outcome.waited, outcome.worst_day);
    EXPECT_GT(outcome.worst_day, outcome.worst_minute);
    const Outcome priority = outcome_of(trace, "priority");
    EXPECT_EQ(priority.waited, 0);
    EXPECT_LT(priority.donated, outcome.donated);
}

TEST(SimulationTest, AMissCostsWhatItsStoreTakes) {
    // Unit 0 is evicted by unit 1, and comes back twice, once unattended.
    Trace trace = trace_of(200, 2, {{0, 0}, {1, 1}, {65, 0}, {66, 1}, {130, 0}});
    trace.attended[66] = 0;
    const Machine machine = machine_for(trace, 1);
    const Outcome outcome = simulate(trace, machine, *make_system("priority", machine));
    EXPECT_EQ(outcome.misses, 3U);
    EXPECT_NEAR(outcome.waited, 2 * 2.5e-3, 1e-12);
    EXPECT_NEAR(outcome.worst_minute, 2.5e-3, 1e-12);
}

TEST(SimulationTest, TwiceTheResolutionChangesLittle) {
    const Trace coarse = trace_with(256 << 10);
    const Trace fine = trace_with(128 << 10);
    for (const std::string& name : system_names()) {
        const Outcome by_coarse = outcome_of(coarse, name);
        const Outcome by_fine = outcome_of(fine, name);
        const double memory_s = 256.0 * mb * coarse.seconds;
        EXPECT_NEAR(by_coarse.donated * (256 << 10) / memory_s, by_fine.donated * (128 << 10) / memory_s, 0.03) << name;
        // Of all that a loop in too little memory could wait.
        EXPECT_NEAR(by_coarse.waited, by_fine.waited, 0.05 * std::max(by_coarse.waited, 1000.0)) << name;
    }
}

TEST(SimulationTest, TmmTellsWhichRuleDecided) {
    const Outcome outcome = outcome_of(trace_with(mb), "tmm-reuse");
    double sum = 0;
    for (const double share : outcome.rules)
        sum += share;
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_EQ(outcome.rules[static_cast<std::size_t>(Rule::none)], 0);
    EXPECT_GT(outcome.rules[static_cast<std::size_t>(Rule::need)], 0.1);
}

// A job reads files by night, which are not needed for long. When they go, the owner's programs keep what they need.
TEST(SimulationTest, AJobsFilesThatGoTakeNoProtectedMemoryAlong) {
    const Trace trace = made("[Owner]\nLength = 36h\n[Presence]\nmon-sun = 08:00-18:00\n[Patterns]\npattern = 1\n",
                             "[Set loop]\nSize = 80 MB\n[Set files]\nSize = 150 MB\nBacking = file\nCgroup = files\n"
                             "[Use loop]\nRound = 60 s\n[Use files]\nWhen = 22:00\nRounds = 1\nRound = 20 min\nWaits = no\n",
                             {.memory_bytes = 256 * mb, .unit_bytes = 256 << 10});
    const Outcome outcome = outcome_of(trace, "tmm-reuse");
    ASSERT_EQ(outcome.returns.size(), 1U);
    EXPECT_EQ(outcome.returns[0], 0);
    EXPECT_GT(outcome.donated / trace.seconds, 0.55 * 1024) << "the files went";
}

// Counts tell the order of pages only of the last ten minutes, and bits are lost when the kernel reclaims. A loop that takes two
// hours, beside as much forgotten memory.
TEST(SimulationTest, FromEachSourceALongLoopIsKept) {
    const Trace trace =
        made("[Owner]\nLength = 48h\n[Presence]\nmon-sun = 00:00-24:00\n[Patterns]\npattern = 1\n",
             "[Set loop]\nSize = 90 MB\n[Set forgotten]\nSize = 90 MB\nCgroup = forgotten\n"
             "[Use loop]\nWhen = always\nRound = 2 h\n[Use forgotten]\nWhen = always\nRounds = 1\nRound = 20 min\n",
             {.memory_bytes = 256 * mb, .unit_bytes = 256 << 10});
    const double exact = outcome_of(trace, "tmm-reuse", "nvme").waited;
    const double nothing_kept = outcome_of(trace, "static-25", "nvme").waited;
    EXPECT_LT(exact, 0.2 * nothing_kept);
    for (const char* source : {"tmm-idle", "tmm-mglru", "tmm-footprint"}) {
        const Outcome outcome = outcome_of(trace, source, "nvme");
        EXPECT_LT(outcome.waited, 0.12 * nothing_kept) << source;
        EXPECT_GT(outcome.donated / trace.seconds, 0.55 * 1024) << source << ": the forgotten half is given";
    }
}

TEST(SystemTest, AnUnknownNameIsNone) {
    EXPECT_EQ(make_system("kernel", {}), nullptr);
}

TEST(PercentileTest, IsOneOfTheValues) {
    EXPECT_EQ(percentile({}, 0.5), 0);
    EXPECT_EQ(percentile({3, 1, 2}, 0.5), 2);
    EXPECT_EQ(percentile({3, 1, 2}, 1), 3);
    EXPECT_EQ(percentile({1, 2}, 0.95), 2);
}

}  // namespace
}  // namespace tmm::days
