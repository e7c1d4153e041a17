// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "fixtures.hpp"
#include "simulation.hpp"

namespace tmm::days {
namespace {

constexpr double miss_s = 2.5e-3;

// Tries to keep and to evict each unit at each moment it could be: the most unit-seconds given within so much waiting.
class BruteForce {
public:
    BruteForce(const Trace& trace, std::uint32_t capacity) : trace_(trace), capacity_(capacity) {}

    double donated(double waited) {
        best_ = -1;
        walk(0, std::vector<bool>(trace_.nr_units(), false), std::vector<bool>(trace_.nr_units(), false), 0, waited + 1e-9);
        return best_;
    }

private:
    void walk(std::uint32_t second, std::vector<bool> resident, std::vector<bool> known, double given, double waiting) {
        if (second == trace_.seconds) {
            best_ = std::max(best_, given);
            return;
        }
        for (const Event& event : trace_.events) {
            if (event.second != second)
                continue;
            if (known[event.unit] && !resident[event.unit] && trace_.owner_waits(event))
                waiting -= miss_s;
            known[event.unit] = resident[event.unit] = true;
        }
        if (waiting < 0)
            return;
        for (std::uint32_t choice = 0; choice < (1U << trace_.nr_units()); ++choice) {
            std::vector<bool> kept(trace_.nr_units());
            std::uint32_t count = 0;
            bool possible = true;
            for (std::uint32_t unit = 0; unit < trace_.nr_units(); ++unit) {
                kept[unit] = (choice >> unit & 1U) != 0;
                possible = possible && (!kept[unit] || resident[unit]);
                count += kept[unit] ? 1 : 0;
            }
            if (possible && count <= capacity_)
                walk(second + 1, kept, known, given + capacity_ - count, waiting);
        }
    }

    const Trace& trace_;
    std::uint32_t capacity_;
    double best_ = -1;
};

Trace random_trace(unsigned seed, std::uint32_t seconds, std::uint32_t units) {
    std::mt19937 random(seed);
    Trace trace = trace_of(seconds, units, {});
    for (std::uint32_t second = 0; second < seconds; ++second) {
        trace.attended[second] = random() % 5 != 0;
        for (unsigned i = 0; i < random() % 3; ++i)
            trace.events.push_back(
                {.second = second, .unit = static_cast<std::uint32_t>(random() % units), .frees = 0, .waits = random() % 6 != 0});
    }
    return trace;
}

TEST(OracleTest, GivesWhatBruteForceGivesWhereAllFits) {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const Trace trace = random_trace(seed, 7, 3);
        const Oracle oracle(trace, machine_for(trace, 3));
        BruteForce brute(trace, 3);
        // By whole misses the fractional optimum lies between those of this many and of one more; it is exact at the vertices.
        for (unsigned misses = 0; misses <= 4; ++misses)
            EXPECT_NEAR(oracle.donated(misses * miss_s), brute.donated(misses * miss_s), 1e-6) << seed << ", " << misses;
    }
}

TEST(OracleTest, NobodyGivesMoreInTooSmallAMemory) {
    for (unsigned seed = 1; seed <= 30; ++seed) {
        const Trace trace = random_trace(seed, 6, 3);
        const Oracle oracle(trace, machine_for(trace, 2));
        BruteForce brute(trace, 2);
        for (unsigned misses = 0; misses <= 3; ++misses)
            EXPECT_GE(oracle.donated(misses * miss_s) + 1e-6, brute.donated(misses * miss_s)) << seed << ", " << misses;
    }
}

TEST(OracleTest, EvictsWhatIsFreeOfWaitingFirst) {
    // Unit 0 comes back after 10 s, unit 1 never.
    const Trace trace = trace_of(11, 2, {{0, 0}, {0, 1}, {10, 0}});
    const Oracle oracle(trace, machine_for(trace, 2));
    EXPECT_DOUBLE_EQ(oracle.donated(0), 2 * 11 - 10);
    EXPECT_DOUBLE_EQ(oracle.donated(miss_s / 2), 2 * 11 - 5) << "half of a choice";
    EXPECT_DOUBLE_EQ(oracle.donated(1), 2 * 11);
}

TEST(OracleTest, TellsWhichReturnsWait) {
    // Unit 0 comes back in the first minute after a return, after 100 s; unit 1 after another, after 200 s; unit 2 by day.
    Trace trace = trace_of(700, 3, {{10, 0}, {110, 0}, {300, 1}, {500, 1}, {300, 2}, {450, 2}});
    trace.returns = {100, 490};
    const Oracle oracle(trace, machine_for(trace, 3));
    EXPECT_EQ(oracle.returns(trace, 0), (std::vector<double>{0, 0}));
    EXPECT_EQ(oracle.returns(trace, miss_s / 2), (std::vector<double>{0, miss_s / 2})) << "what frees most goes first";
    EXPECT_EQ(oracle.returns(trace, 2 * miss_s), (std::vector<double>{0, miss_s})) << "and then what is used by day";
    EXPECT_EQ(oracle.returns(trace, 1), (std::vector<double>{miss_s, miss_s}));
}

// The waiting that it tells of is the waiting that it was allowed.
TEST(OracleTest, ReturnsAreAPartOfItsWaiting) {
    Trace trace = random_trace(5, 600, 20);
    for (std::uint32_t second = 0; second < trace.seconds; second += 60)
        trace.returns.push_back(second);
    const Oracle oracle(trace, machine_for(trace, 20));
    for (const double waited : {0.0, 3.5 * miss_s, 40 * miss_s}) {
        const std::vector<double> returns = oracle.returns(trace, waited);
        EXPECT_NEAR(std::accumulate(returns.begin(), returns.end(), 0.0), waited, 1e-9);
    }
}

TEST(OracleTest, CompressedMemoryCounts) {
    const Trace trace = trace_of(10, 1, {{0, 0}});
    EXPECT_NEAR(Oracle(trace, machine_for(trace, 1, "zram")).donated(0), 10 - 0.35 * 10, 1e-9);
}

TEST(OracleTest, NoSystemGivesMoreWithinItsWaiting) {
    const Trace trace = random_trace(3, 3000, 50);
    for (const std::string store : {"hdd", "zram"}) {
        const Machine machine = machine_for(trace, 40, store);
        const Oracle oracle(trace, machine);
        for (const std::string& name : system_names()) {
            const Outcome outcome = simulate(trace, machine, *make_system(name, machine));
            EXPECT_LE(outcome.donated, oracle.donated(outcome.waited) * (1 + 1e-9) + 1e-6) << name << ", " << store;
        }
    }
}

}  // namespace
}  // namespace tmm::days
