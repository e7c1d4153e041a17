// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/soft/division.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tmmd/core/soft/soft_room.hpp"
#include "tmmd/core/soft/soft_shares.hpp"

namespace tmm::core {
namespace {

constexpr std::uint64_t mib = 1 << 20;

// A heap whose uses all come back after that many bytes.
SoftHeap heap_of(std::uint64_t id, std::uint64_t loop_mib, double rebuild_s, uid_t user = 1000) {
    SoftHeap heap;
    heap.id = id;
    heap.user = user;
    heap.rebuild_s = rebuild_s;
    std::size_t bucket = 0;
    while (bucket_end(bucket) < Bytes(loop_mib * mib))
        ++bucket;
    heap.reuses_per_s[bucket] = 1000;
    return heap;
}

Bytes sum_of(const std::vector<SoftGrant>& grants) {
    return std::accumulate(grants.begin(), grants.end(), Bytes(0),
                           [](Bytes sum, const SoftGrant& one) { return sum + one.bytes; });
}

TEST(SoftHeap, BucketsAreSixteenthsOfADoubling) {
    EXPECT_EQ(bucket_end(0), Bytes(mib));
    EXPECT_EQ(bucket_end(16), Bytes(2 * mib));
    EXPECT_EQ(bucket_end(160), Bytes(1024 * mib));
    EXPECT_EQ(bucket_end(9999), bucket_end(nr_reuse_buckets - 1));
}

TEST(SoftHeap, MissesWhatItHasNoRoomFor) {
    SoftHeap heap = heap_of(1, 8, 0.001);  // in the bucket from 2^(2 + 15/16) to 8 MiB
    heap.first_uses_per_s = 10;
    heap.footprint = Bytes(8 * mib);
    EXPECT_DOUBLE_EQ(heap.misses_per_s(Bytes(0)), 1010);
    EXPECT_DOUBLE_EQ(heap.misses_per_s(Bytes(7 * mib)), 1010);
    EXPECT_DOUBLE_EQ(heap.misses_per_s(Bytes(8 * mib)), 10);
    const Bytes half = (bucket_end(47) + bucket_end(48)) / 2;
    EXPECT_NEAR(heap.misses_per_s(half), 510, 0.01) << "distances within a bucket are spread evenly";
    EXPECT_DOUBLE_EQ(heap.utility(Bytes(8 * mib)), 1 / 1.01);
    EXPECT_EQ(heap.most_useful(), Bytes(8 * mib));
}

TEST(SoftHeap, AYoungHeapIsGivenAChance) {
    SoftHeap heap;
    heap.first_uses_per_s = 10;
    heap.footprint = Bytes(100 * mib);
    heap.budget = Bytes(100 * mib);
    EXPECT_GE(heap.most_useful(), Bytes(110 * mib));
    EXPECT_DOUBLE_EQ(heap.misses_per_s(Bytes(120 * mib)), 0);
    heap.budget = Bytes(99 * mib);
    EXPECT_DOUBLE_EQ(heap.misses_per_s(Bytes(120 * mib)), 10) << "it has seen more than its budget: these are a scan";
    EXPECT_EQ(heap.most_useful(), Bytes(0));
}

TEST(SoftHeap, TheChanceGetsSmaller) {
    SoftHeap heap;
    heap.first_uses_per_s = 10;
    heap.footprint = Bytes(100 * mib);
    heap.budget = Bytes(100 * mib);
    heap.known_s = 60;
    EXPECT_DOUBLE_EQ(heap.misses_per_s(Bytes(120 * mib)), 2.5);
    heap.known_s = 1e9;
    EXPECT_DOUBLE_EQ(heap.misses_per_s(Bytes(120 * mib)), 5) << "it may begin another phase";
    EXPECT_DOUBLE_EQ(heap.misses_per_s(Bytes(90 * mib)), 10);
}

TEST(SoftRoom, IsWhatTheyHaveAndWhatIsFreeBeyondTheReserve) {
    const Bytes page(4096);
    const auto pages = [](std::uint64_t of_mib) { return Pages(of_mib * 256); };
    const MemoryUsage usage{.total = pages(1000), .opaque = pages(500), .transparent = pages(200)};
    SoftHeap heap{.id = 1};
    heap.used = Bytes(100 * mib);
    const auto room = [&](MemoryUsage of, std::uint64_t kept_mib = 0) {
        of.soft = soft_pages(of, page, {&heap, 1});
        return soft_room(of, pages(kept_mib), page);
    };
    EXPECT_EQ(room(usage), (SoftRoom{Bytes(350 * mib), false}));
    EXPECT_EQ(room(usage, 30), (SoftRoom{Bytes(320 * mib), false})) << "with less the kernel reclaims";
    EXPECT_EQ(soft_room(usage, pages(0), page), (SoftRoom{Bytes(250 * mib), false}));
    heap.used = Bytes(UINT64_MAX / 2);
    EXPECT_EQ(room(usage).bytes, Bytes(750 * mib)) << "no more than opaque programs have";
    const MemoryUsage full{.total = pages(1000), .opaque = pages(900), .transparent = pages(80)};
    heap.used = Bytes(100 * mib);
    EXPECT_EQ(room(full), (SoftRoom{Bytes(70 * mib), true})) << "it gives back what the reserve lacks";
    EXPECT_EQ(room(full, 200), (SoftRoom{Bytes(0), true}));
}

TEST(SoftShares, WeighABoundedNumberOfUsers) {
    SoftShares shares;
    for (uid_t user = 0; user < max_weighed_users; ++user)
        EXPECT_TRUE(weigh(shares, user, 200));
    EXPECT_FALSE(weigh(shares, 9999, 200));
    EXPECT_TRUE(weigh(shares, 9999, usual_soft_weight));
    EXPECT_TRUE(weigh(shares, 5, 300));
    EXPECT_TRUE(weigh(shares, 6, usual_soft_weight));
    EXPECT_EQ(shares.weights.at(5), 300U);
    EXPECT_TRUE(weigh(shares, 9999, 200));
    EXPECT_EQ(shares.weights.size(), max_weighed_users);
}

TEST(SoftDivision, GoesOverCliffs) {
    SoftDivision division;
    // Half of a loop is worth nothing.
    const auto grants =
        division.divide(Bytes(1000 * mib), {heap_of(1, 700, 0.001), heap_of(2, 700, 0.002), heap_of(3, 250, 0.001)});
    EXPECT_LT(grants[0].bytes, Bytes(50 * mib));
    EXPECT_GE(grants[1].bytes, Bytes(700 * mib));
    EXPECT_GE(grants[2].bytes, Bytes(250 * mib));
    EXPECT_LE(sum_of(grants), Bytes(1000 * mib));
}

TEST(SoftDivision, WhatNobodyWantsIsSpread) {
    SoftDivision division;
    const auto grants = division.divide(Bytes(1000 * mib), {SoftHeap{.id = 1}, SoftHeap{.id = 2}});
    EXPECT_EQ(grants[0].bytes, Bytes(500 * mib));
    EXPECT_EQ(grants[1].bytes, Bytes(500 * mib));
    EXPECT_TRUE(division.divide(Bytes(1000 * mib), {}).empty());
}

TEST(SoftDivision, AHeapThatTellsNoUsesKeepsWhatItHas) {
    SoftHeap quiet{.id = 1, .user = 1000};
    quiet.used = Bytes(200 * mib);
    SoftDivision division;
    const auto grant_of = [&](std::uint64_t total_mib) {
        return division.divide(Bytes(total_mib * mib), {quiet, heap_of(2, 2000, 1), heap_of(3, 2000, 1)})[0].bytes;
    };
    EXPECT_GE(grant_of(1500), quiet.used) << "and may grow";
    EXPECT_LE(grant_of(1500), Bytes(500 * mib)) << "but never beyond an equal part";
    EXPECT_EQ(grant_of(300), Bytes(100 * mib));
    quiet.used = Bytes(0);
    EXPECT_GT(grant_of(1500), Bytes(0)) << "it can begin";
    // Nor does another user take it.
    quiet.used = Bytes(200 * mib);
    quiet.user = 1001;
    EXPECT_GE(grant_of(1500), quiet.used);
}

TEST(SoftDivision, UsersComeFirst) {
    SoftDivision division;
    std::vector<SoftHeap> heaps{heap_of(1, 600, 0.001, 1000)};
    for (std::uint64_t id = 2; id < 9; ++id)
        heaps.push_back(heap_of(id, 600, 1000, 1001));
    EXPECT_GE(division.divide(Bytes(1400 * mib), heaps)[0].bytes, Bytes(600 * mib)) << "seven programs are one user's";
    division.set_user_weights({{1001, 900}});
    EXPECT_LT(SoftDivision(division).divide(Bytes(1400 * mib), heaps)[0].bytes, Bytes(200 * mib));
    // What a user cannot use goes to others.
    division.set_user_weights({});
    heaps[0] = heap_of(1, 10, 0.001, 1000);
    const auto grants = division.divide(Bytes(1400 * mib), heaps);
    EXPECT_GE(sum_of({grants.begin() + 1, grants.end()}), Bytes(1300 * mib));
}

// A heap that gains something from each byte up to 9000 MiB.
SoftHeap greedy_heap(std::uint64_t id, uid_t user) {
    SoftHeap heap = heap_of(id, 9000, 0.001, user);
    for (std::size_t bucket = 0; bucket_end(bucket) < Bytes(9000 * mib); ++bucket)
        heap.reuses_per_s[bucket] = 10;
    return heap;
}

// Mortar (Hwang et al., VEE 2014, section 5.2): tenants of a cache are users here.
TEST(SoftDivision, TenantsGetMemoryByTheirWeights) {
    const Bytes total(2200 * mib);
    const auto near = [&](Bytes bytes, std::uint64_t parts) {
        const double wanted = total.as_double() * static_cast<double>(parts);
        return std::abs(bytes.as_double() - wanted / 11) <= 2 * mib;
    };
    SoftDivision division;
    division.set_user_weights({{1001, 200}, {1002, 300}, {1003, 600}});
    std::vector<SoftHeap> heaps{greedy_heap(1, 1001)};
    EXPECT_TRUE(near(division.divide(total, heaps)[0].bytes, 11)) << "alone it has all";
    heaps.push_back(greedy_heap(2, 1002));
    EXPECT_NEAR(division.divide(total, heaps)[0].bytes.as_double(), total.as_double() * 2 / 5, 2.0 * mib);
    heaps.push_back(greedy_heap(3, 1003));
    const auto grants = division.divide(total, heaps);
    EXPECT_TRUE(near(grants[0].bytes, 2));
    EXPECT_TRUE(near(grants[1].bytes, 3));
    EXPECT_TRUE(near(grants[2].bytes, 6));
    // Who wants less leaves the rest to the others, by their weights.
    heaps[2] = heap_of(3, 100, 0.001, 1003);
    const auto slack = division.divide(total, heaps);
    EXPECT_GE(slack[2].bytes, Bytes(100 * mib));
    EXPECT_NEAR(slack[1].bytes.as_double() / slack[0].bytes.as_double(), 1.5, 0.01);
    EXPECT_GE(sum_of(slack), Bytes(2190 * mib));
}

TEST(SoftDivision, MovesMemoryOnlyIfThatIsWorthIt) {
    SoftDivision division;
    std::vector<SoftHeap> heaps{heap_of(1, 600, 0.001), heap_of(2, 600, 0.00101)};
    const auto before = division.divide(Bytes(700 * mib), heaps);
    EXPECT_GE(before[1].bytes, Bytes(600 * mib));
    heaps[0].rebuild_s = 0.00103;
    EXPECT_EQ(division.divide(Bytes(700 * mib), heaps), before);
    EXPECT_NE(division.divide(Bytes(650 * mib), heaps), before) << "it does not fit any more";
    heaps[0].rebuild_s = 1;
    for (int i = 0; i < 5; ++i)
        static_cast<void>(division.divide(Bytes(700 * mib), heaps));
    EXPECT_GE(division.divide(Bytes(700 * mib), heaps)[0].bytes, Bytes(600 * mib));
}

TEST(SoftDivision, AveragesCosts) {
    SoftDivision division;
    std::vector<SoftHeap> heaps{heap_of(1, 600, 0.001), heap_of(2, 600, 0.002)};
    const auto before = division.divide(Bytes(700 * mib), heaps);
    heaps[0].rebuild_s = 0.004;
    EXPECT_EQ(division.divide(Bytes(700 * mib), heaps), before) << "one report may err";
}

}  // namespace
}  // namespace tmm::core
