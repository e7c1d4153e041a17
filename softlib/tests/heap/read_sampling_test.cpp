// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Samples of reads: counting, losing and validating them, and the advice.
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "softlib/advice.hpp"
#include "softlib/pool.hpp"
#include "softlib/testing.hpp"
#include "tests/soft_test.hpp"

namespace soft {
namespace {

class ReadSamplingTest : public SoftTest {
protected:
    ~ReadSamplingTest() override {
        lose_reads(0);
        validate_reads(0);
    }
    int rebuilds = 0;
    int error = 0;
    pool<int, int> numbers{heap, "numbers", [this](int n) {
                               ++rebuilds;
                               return n + error;
                           }};
};

TEST_F(ReadSamplingTest, HitsAreEstimated) {
    const auto number = numbers.make(1);
    for (int i = 0; i < 100'000; ++i) {
        number.read(1);
    }
    const std::uint64_t hits = numbers.statistics().hits;
    EXPECT_NEAR(static_cast<double>(hits), 100'000, 1000);
}

TEST_F(ReadSamplingTest, HitsOfObjectsThatAreReadInTurnAreToldApart) {
    pool<int, int> others(heap, "others", [](int n) { return n; });
    const auto number = numbers.make(1);
    const auto other = others.make(1);
    for (int i = 0; i < 1'000'000; ++i) {
        number.read(1);
        other.read(1);
    }
    EXPECT_NEAR(static_cast<double>(numbers.statistics().hits), 1'000'000, 50'000);
    EXPECT_NEAR(static_cast<double>(others.statistics().hits), 1'000'000, 50'000);
}

TEST_F(ReadSamplingTest, WhatIsGoneIsNoHit) {
    const auto number = numbers.make();
    for (int i = 0; i < 10'000; ++i) {
        EXPECT_EQ(number.try_get(), std::nullopt);
    }
    EXPECT_EQ(numbers.statistics().hits, 0U);
}

TEST_F(ReadSamplingTest, EachReadLosesItsObjectWithProbabilityOne) {
    const auto number = numbers.make(1);
    lose_reads(1);
    EXPECT_EQ(number.try_get(), std::nullopt);
    EXPECT_EQ(number.read(1), 1);
    EXPECT_EQ(number.read(1), 1);
    EXPECT_EQ(rebuilds, 2);
    EXPECT_EQ(numbers.statistics().lost, 2U);
    lose_reads(0);
    EXPECT_EQ(number.read(1), 1);
    EXPECT_EQ(rebuilds, 2);
}

TEST_F(ReadSamplingTest, SomeReadsLoseTheirObject) {
    const auto number = numbers.make(1);
    lose_reads(0.25);
    for (int i = 0; i < 10'000; ++i) {
        ASSERT_EQ(number.read(1), 1);
    }
    EXPECT_NEAR(rebuilds, 2500, 250);
    EXPECT_EQ(numbers.statistics().hits + numbers.statistics().lost, 10'000U);
}

TEST_F(ReadSamplingTest, AReconstructorThatMakesTheSameIsValid) {
    const auto number = numbers.make(7);
    validate_reads(1);
    EXPECT_EQ(number.read(7), 7);
    EXPECT_EQ(rebuilds, 1);
    EXPECT_EQ(numbers.statistics().validated, 1U);
    EXPECT_EQ(numbers.statistics().mismatches, 0U);
    EXPECT_EQ(numbers.statistics().rebuilds, 0U);
}

TEST_F(ReadSamplingTest, ADifferentObjectIsCountedAndReportedOnce) {
    const auto number = numbers.make(7);
    error = 1;
    validate_reads(1);
    testing::internal::CaptureStderr();
    EXPECT_EQ(number.read(7), 7);
    EXPECT_EQ(number.read(7), 7);
    const std::string told = testing::internal::GetCapturedStderr();
    EXPECT_EQ(numbers.statistics().mismatches, 2U);
    EXPECT_NE(told.find("pool 'numbers'"), std::string::npos) << told;
    EXPECT_EQ(told.find("numbers", told.find("numbers") + 1), std::string::npos) << told;
}

TEST_F(ReadSamplingTest, WhatAReconstructorThrowsWhileItIsValidatedStaysUnseen) {
    pool<int, int> shaky(heap, "shaky", [](int) -> int { throw std::runtime_error("no network"); });
    const auto number = shaky.make(7);
    validate_reads(1);
    EXPECT_EQ(number.read(7), 7);
    EXPECT_EQ(shaky.statistics().validated, 0U);
}

TEST_F(ReadSamplingTest, AReconstructorMayReadWhileItIsValidated) {
    const auto base = numbers.make(5);
    pool<int, int> sums(heap, "sums", [&](int n) { return base.read(5) + n; });
    const auto sum = sums.make(6);
    validate_reads(1);
    EXPECT_EQ(sum.read(1), 6);
    EXPECT_EQ(sums.statistics().validated, 1U);
    EXPECT_EQ(numbers.statistics().validated, 0U);
}

struct Padded {
    char letter = 'a';
    int number = 0;
};
struct Pixel {
    unsigned char red = 0, green = 0, blue = 0;
};

TEST_F(ReadSamplingTest, ObjectsThatCannotBeComparedAreLeftOut) {
    pool<Padded> padded(heap, "padded", [] { return Padded{}; });
    const auto object = padded.make();
    object.read();
    validate_reads(1);
    object.read();
    EXPECT_EQ(padded.statistics().validated, 0U);
}

TEST_F(ReadSamplingTest, ObjectsWithoutPaddingAreComparedByBytes) {
    pool<std::array<Pixel, 3>> rows(heap, "rows", [] { return std::array<Pixel, 3>{}; });
    const auto row = rows.make({Pixel{1, 2, 3}});
    pool<std::vector<Pixel>> lists(heap, "lists", [] { return std::vector<Pixel>(2); });
    const auto list = lists.make(std::vector<Pixel>(2));
    validate_reads(1);
    testing::internal::CaptureStderr();
    row.read();
    list.read();
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(rows.statistics().mismatches, 1U);
    EXPECT_EQ(lists.statistics().validated, 1U);
    EXPECT_EQ(lists.statistics().mismatches, 0U);
}

TEST_F(ReadSamplingTest, AnObjectThatIsLostUnreadIsCold) {
    const auto read = numbers.make(1);
    const auto unread = numbers.make(2);
    read.read(1);
    lose_all();
    read.read(1);
    unread.read(2);
    EXPECT_EQ(numbers.statistics().lost, 2U);
    EXPECT_EQ(numbers.statistics().cold_rebuilds, 1U);
}

using namespace std::chrono_literals;

TEST(Advice, ThereIsNoneIfAllIsWell) {
    EXPECT_TRUE(advice({}).empty());
    EXPECT_TRUE(advice({.hits = 1000, .rebuilds = 10, .rebuild_time = 5s}).empty());
    EXPECT_TRUE(advice({.hits = 0, .rebuilds = 10, .rebuild_time = 900ms}).empty());
}

TEST(Advice, CostlyAndColdObjectsAreNamed) {
    const auto all = advice({.hits = 1000, .rebuilds = 10, .rebuild_time = 10s, .cold_rebuilds = 4, .cold_rebuild_time = 6s});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_NE(all[0].find("6.0 of 10.0 s"), std::string::npos) << all[0];
    EXPECT_NE(all[0].find("4 objects"), std::string::npos) << all[0];
}

TEST(Advice, ObjectsThatAreSeldomFoundAreNamed) {
    const auto all = advice({.hits = 9, .rebuilds = 10, .rebuild_time = 10s});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_NE(all[0].find("10 objects, which were found 9 times"), std::string::npos) << all[0];
}

TEST(Advice, WrongReconstructorsAreNamedHoweverFastTheyAre) {
    EXPECT_EQ(advice({.validated = 3, .mismatches = 1}).size(), 1U);
}

}  // namespace
}  // namespace soft
