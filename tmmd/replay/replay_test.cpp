// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/replay.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tmm::replay {
namespace {

using trace::PageClass;
using trace::Record;
using trace::RecordKind;

constexpr std::uint64_t second_us = 1'000'000;

Outcome replay_of(const std::vector<Record>& records, const Parameters& parameters) {
    Replay replay(parameters);
    for (const Record& record : records)
        replay.add(record);
    return std::move(replay).finish();
}

Parameters by_paper(Parameters parameters) {
    parameters.policy.objective = core::Objective::paper;
    parameters.policy.ageing.period = core::Seconds(20);
    return parameters;
}

// Replays a loop over pages, with so many references a second.
std::vector<Record> loop(core::PageKey pages, std::uint64_t per_second, std::uint64_t seconds) {
    std::vector<Record> records;
    for (std::uint64_t i = 0; i < per_second * seconds; ++i)
        records.push_back({.t_us = i * second_us / per_second, .page = i % pages});
    return records;
}

TEST(Replay, AnEmptyTraceHasNothing) {
    const Outcome outcome = replay_of({}, {.memory = core::Pages(100), .exact = true});
    EXPECT_EQ(outcome.references, 0U);
    EXPECT_EQ(outcome.epochs, 0U);
    EXPECT_EQ(outcome.achieved_beta, 1);
    EXPECT_EQ(outcome.error.mean, 0);
    EXPECT_EQ(outcome.curve.misses(core::Pages(0)), 0);
}

TEST(Replay, TheExactCurveOfALoopIsACliff) {
    const Outcome outcome = replay_of(loop(100, 50, 40), {.memory = core::Pages(200), .exact = true});
    EXPECT_EQ(outcome.references, 2000U);
    EXPECT_EQ(outcome.pages, core::Pages(100));
    EXPECT_EQ(outcome.exact_curve->misses(core::Pages(0)), 2000);
    EXPECT_EQ(outcome.exact_curve->misses(core::Pages(99)), 2000);
    EXPECT_EQ(outcome.exact_curve->misses(core::Pages(100)), 100) << "the first uses";
    EXPECT_EQ(outcome.exact_need, core::Pages(100));
}

TEST(Replay, ReferenceBitsGiveTheCurveUpToAnEpoch) {
    const Outcome outcome = replay_of(loop(1000, 100, 100), {.memory = core::Pages(2000), .exact = true});
    EXPECT_EQ(outcome.footprint, core::Pages(100));
    EXPECT_NEAR(outcome.curve.misses(core::Pages(0)), 10'000, 1e-6) << "no page was used twice in an epoch";
    EXPECT_NEAR(outcome.curve.misses(core::Pages(850)), 10'000, 1e-6);
    EXPECT_NEAR(outcome.curve.misses(core::Pages(1050)), 1000, 1e-6);
    EXPECT_LT(outcome.error.mean, 0.06);
    EXPECT_GT(outcome.error.mean, 0) << "the cliff is somewhere in the last epoch";
}

TEST(Replay, AnEpochCollapsesRepeatedReferences) {
    std::vector<Record> records;
    for (std::uint64_t i = 0; i < 1000; ++i)
        records.push_back({.t_us = i * 1000, .page = i % 10});
    const Outcome outcome = replay_of(records, {.epoch_us = 100'000, .memory = core::Pages(20), .exact = true});
    EXPECT_EQ(outcome.epochs, 10U);
    EXPECT_NEAR(outcome.curve.misses(core::Pages(0)), 100, 1e-6) << "ten pages in each of ten epochs";
    EXPECT_EQ(outcome.exact_curve->misses(core::Pages(0)), 1000);
    EXPECT_EQ(outcome.error.mean, 0) << "there is no size above the footprint";
}

TEST(Replay, SamplingKeepsTheCurve) {
    std::mt19937_64 random(3);
    std::vector<Record> records;
    std::exponential_distribution<double> depth(1.0 / 3000);
    for (std::uint64_t i = 0; i < 400'000; ++i)
        records.push_back({.t_us = i * 500, .page = static_cast<core::PageKey>(depth(random))});
    const Outcome all = replay_of(records, {.memory = core::Pages(40'000), .exact = true});
    const Outcome sampled = replay_of(records, {.sample_shift = 3, .memory = core::Pages(40'000), .exact = true});
    EXPECT_EQ(sampled.pages, all.pages);
    EXPECT_EQ(sampled.exact_curve->misses(core::Pages(4000)), all.exact_curve->misses(core::Pages(4000)));
    EXPECT_LT(all.error.mean, 0.005);
    EXPECT_LT(sampled.error.mean, 0.04) << "some 1500 samples";
    EXPECT_NEAR(sampled.need.as_double(), all.exact_need.as_double(), 0.1 * 40'000);
}

TEST(Replay, TransparentPagesAreNotTheOwners) {
    std::vector<Record> records = loop(100, 50, 10);
    const Outcome alone = replay_of(records, {.memory = core::Pages(200), .exact = true});
    const std::size_t nr_opaque = records.size();
    for (std::size_t i = 0; i < nr_opaque; ++i)
        records.insert(records.begin() + static_cast<std::ptrdiff_t>(2 * i),
                       {.t_us = records[2 * i].t_us, .page = 5000 + i, .page_class = PageClass::transparent});
    const Outcome beside = replay_of(records, {.memory = core::Pages(200), .exact = true});
    EXPECT_EQ(beside.records, 2 * alone.records);
    EXPECT_EQ(beside.references, alone.references);
    EXPECT_EQ(beside.exact_curve->misses(core::Pages(50)), alone.exact_curve->misses(core::Pages(50)));
}

TEST(Replay, EvictedAndFreedPagesComeBackAsNewOnes) {
    for (const RecordKind kind : {RecordKind::evicted, RecordKind::freed}) {
        std::vector<Record> records;
        for (const std::uint64_t t_s : {0, 2}) {
            for (core::PageKey page = 0; page < 10; ++page)
                records.push_back({.t_us = t_s * second_us, .page = page});
            for (core::PageKey page = 0; page < 5; ++page)
                records.push_back({.t_us = (t_s + 1) * second_us, .page = page, .kind = kind});
        }
        const Outcome outcome = replay_of(records, {.memory = core::Pages(20), .exact = true});
        EXPECT_EQ(outcome.references, 20U);
        EXPECT_EQ(outcome.pages, core::Pages(15)) << "five came back";
        EXPECT_EQ(outcome.exact_curve->misses(core::Pages(20)), 15);
        EXPECT_EQ(outcome.curve.misses(core::Pages(20)), 15);
    }
}

TEST(Replay, APageFreedInItsEpochIsForgotten) {
    std::vector<Record> records{{.t_us = 0, .page = 1}, {.t_us = 1, .page = 1, .kind = RecordKind::freed}};
    records.push_back({.t_us = second_us, .page = 1});
    const Outcome outcome = replay_of(records, {.memory = core::Pages(20), .exact = true});
    EXPECT_EQ(outcome.curve.misses(core::Pages(20)), 2);
    EXPECT_EQ(outcome.exact_curve->misses(core::Pages(20)), 2);
}

TEST(Replay, AHugePageCountsAsItsPages) {
    std::vector<Record> records;
    for (std::uint64_t t_s = 0; t_s < 4; ++t_s)
        records.push_back({.t_us = t_s * second_us, .page = t_s % 2, .weight = 512});
    const Outcome outcome = replay_of(records, {.memory = core::Pages(4096), .exact = true});
    EXPECT_EQ(outcome.references, 2048U);
    EXPECT_EQ(outcome.pages, core::Pages(1024));
    EXPECT_EQ(outcome.exact_curve->misses(core::Pages(512)), 2048);
    EXPECT_EQ(outcome.exact_curve->misses(core::Pages(513)), 1024);
}

TEST(Replay, LimitsFollowTheTraceTime) {
    const Outcome outcome = replay_of(loop(1000, 200, 60), {.memory = core::Pages(4000)});
    ASSERT_GE(outcome.limits.size(), 2U);
    EXPECT_EQ(outcome.limits[0].t_us, 0U);
    EXPECT_EQ(outcome.limits[0].opaque_pages, core::Pages(4000)) << "learning";
    EXPECT_GE(outcome.limits[1].t_us, 5 * second_us) << "before, no page was used again";
    EXPECT_GE(outcome.limits.back().opaque_pages, core::Pages(1000));
    EXPECT_LE(outcome.limits.back().opaque_pages, core::Pages(1000 + 200)) << "the loop and the margin";
    EXPECT_EQ(outcome.achieved_beta, 1) << "the loop stays in memory";
    EXPECT_EQ(outcome.epochs, 60U);
}

TEST(Replay, ThePaperLearnsForAPeriod) {
    const Outcome outcome = replay_of(loop(1000, 200, 60), by_paper({.memory = core::Pages(4096)}));
    ASSERT_GE(outcome.limits.size(), 2U);
    EXPECT_EQ(outcome.limits[0].opaque_pages, core::Pages(4096)) << "learning";
    EXPECT_GE(outcome.limits[1].t_us, 20 * second_us);
    EXPECT_GE(outcome.limits.back().opaque_pages, core::Pages(1000));
    EXPECT_LE(outcome.limits.back().opaque_pages, core::Pages(1000 + 200 + 8)) << "the loop, an epoch, two steps";
    EXPECT_EQ(outcome.achieved_beta, 1) << "the loop stays in memory";
}

TEST(Replay, MissesThatTheLimitCausesAreCountedAndRaiseIt) {
    std::vector<Record> records = loop(1000, 200, 200);
    const std::uint64_t start = records.back().t_us;
    for (std::uint64_t i = 0; i < 12'000; ++i)  // then a loop three times as long
        records.push_back({.t_us = start + i * 5000, .page = i % 3000});
    const Outcome outcome = replay_of(records, by_paper({.memory = core::Pages(4000), .exact = true}));
    EXPECT_GT(outcome.misses_at_limit, 0U);
    EXPECT_EQ(outcome.misses_all_memory, 0U);
    EXPECT_GT(outcome.achieved_beta, 1.05) << "the histogram does not foresee the longer loop";
    EXPECT_GE(outcome.limits.back().opaque_pages, core::Pages(3000));

    const Outcome reuse = replay_of(records, {.memory = core::Pages(4000), .exact = true});
    EXPECT_EQ(reuse.misses_at_limit, 0U) << "new pages are kept while they are young";
    EXPECT_GE(reuse.limits.back().opaque_pages, core::Pages(3000));
}

TEST(Replay, LongGapsAreEpochsWithoutReferences) {
    std::vector<Record> records = loop(1000, 200, 60);
    records.push_back({.t_us = 1000 * second_us + 5, .page = 1});
    const Outcome outcome = replay_of(records, {.memory = core::Pages(4000)});
    EXPECT_EQ(outcome.epochs, 1001U);
    EXPECT_EQ(outcome.active_s, 60) << "one page is noise";
}

TEST(Replay, TenYearsPassInNoTime) {
    const Outcome outcome =
        replay_of({{.t_us = 0, .page = 1}, {.t_us = trace::max_t_us, .page = 1}}, {.memory = core::Pages(4000)});
    EXPECT_EQ(outcome.epochs, trace::max_t_us / second_us + 1);
    EXPECT_EQ(outcome.references, 2U);
}

// A set that is left and comes back: the policy must see its pages go, and how old they were when they came back.
TEST(Replay, PagesComeBackAtTheirAge) {
    std::vector<Record> records = loop(300, 100, 60);
    const auto add = [&](std::uint64_t from_s, std::uint64_t to_s, core::PageKey first) {
        for (std::uint64_t t_us = from_s * second_us; t_us < to_s * second_us; t_us += 20'000)
            records.push_back({.t_us = t_us, .page = first + t_us / 20'000 % 300});
    };
    add(60, 7200, 1000);
    add(7200, 7260, 0);
    const Outcome outcome = replay_of(records, {.memory = core::Pages(4000)});
    core::Pages before(4000);
    for (const LimitChange& change : outcome.limits) {
        if (change.t_us < 7200 * second_us)
            before = change.opaque_pages;
    }
    EXPECT_LT(before, core::Pages(300 + 300 + 200)) << "given by then";
    EXPECT_LE(outcome.misses_at_limit, 300U);
    EXPECT_GE(outcome.limits.back().opaque_pages, core::Pages(600));
}

}  // namespace
}  // namespace tmm::replay
