// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/reuse/reuse_sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace soft {
namespace {

constexpr std::uint64_t object = 64 << 10;

// Uses keys 0 to count - 1 in a loop, so many times each.
void loop(reuse_sampler& sampler, std::uint64_t count, int times) {
    for (int i = 0; i < times; ++i) {
        for (std::uint64_t key = 0; key < count; ++key) {
            if (sampler.watches(key)) {
                sampler.used(key, object);
            }
        }
    }
}

double share_up_to(const reuse_sampler::curve& curve, std::uint64_t bytes) {
    double within = 0;
    double all = curve.first_uses_per_s;
    for (std::size_t i = 0; i < reuse_sampler::buckets; ++i) {
        all += curve.reuses_per_s[i];
        if (reuse_sampler::bucket_end(i) <= bytes) {
            within += curve.reuses_per_s[i];
        }
    }
    return within / all;
}

// Where softlib has it: a heap of the loop's size hits nothing. 25,600 objects are sampled, one in 25.
TEST(ReuseSampler, SeesTheCliffOfALoop) {
    struct Loop {
        std::uint64_t count;
        std::uint64_t percent;  // of the loop's size, at most
    };
    for (const auto& [count, percent] : {Loop{100, 135}, Loop{25600, 125}}) {
        reuse_sampler sampler;
        loop(sampler, count, 20);
        sampler.pass(1);
        const auto curve = sampler.estimate();
        const double size = static_cast<double>(count * object);
        EXPECT_NEAR(static_cast<double>(curve.footprint_bytes), size, 0.08 * size) << count;
        EXPECT_LT(share_up_to(curve, count * object), 0.02) << count;
        EXPECT_GT(share_up_to(curve, count * object * percent / 100), 0.9) << count;
    }
}

TEST(ReuseSampler, CountsStandForAllObjects) {
    reuse_sampler sampler;
    loop(sampler, 25600, 10);
    sampler.pass(10);
    const auto curve = sampler.estimate();
    const double uses = std::accumulate(curve.reuses_per_s.begin(), curve.reuses_per_s.end(), curve.first_uses_per_s);
    EXPECT_NEAR(uses, 25600, 0.15 * 25600);
}

TEST(ReuseSampler, AScanHasNoReuse) {
    reuse_sampler sampler;
    loop(sampler, 500000, 1);
    sampler.pass(1);
    EXPECT_DOUBLE_EQ(share_up_to(sampler.estimate(), UINT64_MAX), 0);
    EXPECT_GT(sampler.estimate().first_uses_per_s, 100000);
}

TEST(ReuseSampler, ForgetsByHalvesInFifteenSeconds) {
    reuse_sampler sampler;
    loop(sampler, 100, 50);
    sampler.pass(1);
    loop(sampler, 10000, 1);  // of which 9,900 are first uses
    sampler.pass(5 * reuse_sampler::half_life_s);
    loop(sampler, 10000, 1);
    sampler.pass(1);
    EXPECT_LT(share_up_to(sampler.estimate(), 100 * object * 2), 0.1);
    EXPECT_TRUE(reuse_sampler().estimate().footprint_bytes == 0);
}

TEST(ReuseSampler, ForgetsThePhaseBefore) {
    reuse_sampler sampler;
    loop(sampler, 25600, 20);
    sampler.pass(1);
    ASSERT_LT(sampler.limit(), UINT64_MAX / 16);
    double most_first_uses = 0;
    for (int second = 0; second < 400; ++second) {
        loop(sampler, 1000, 1);
        sampler.pass(1);
        if (second > 100) {  // the first uses of the phase before have aged
            most_first_uses = std::max(most_first_uses, sampler.estimate().first_uses_per_s);
        }
    }
    EXPECT_LT(most_first_uses, 50) << "keys that are watched anew are not new";
    EXPECT_GE(sampler.watched_keys(), reuse_sampler::max_watched / 4);
    const auto curve = sampler.estimate();
    EXPECT_NEAR(static_cast<double>(curve.footprint_bytes), 1000.0 * object, 80.0 * object);
    EXPECT_NEAR(std::accumulate(curve.reuses_per_s.begin(), curve.reuses_per_s.end(), 0.0), 1000, 80);
    EXPECT_LT(share_up_to(curve, 850 * object), 0.02);
    EXPECT_GT(share_up_to(curve, 1250 * object), 0.9);
}

TEST(ReuseSampler, KeysThatAreUsedNowAndThenStay) {
    reuse_sampler sampler;
    for (int time = 0; time < 5; ++time) {
        sampler.pass(100);
        loop(sampler, 100, 1);
    }
    EXPECT_EQ(sampler.watched_keys(), 100U);
    sampler.pass(1);
    EXPECT_GT(share_up_to(sampler.estimate(), 100 * object * 2), 0.98);
}

}  // namespace
}  // namespace soft
