// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/changes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tmm::bus {
namespace {

using namespace std::chrono_literals;
using core::AwakeTime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t mib = 1 << 20;

wire::Status machine_of(std::uint64_t total_bytes) {
    wire::Status status;
    status.total_bytes = total_bytes;
    return status;
}

TEST(Changes, NothingIsPublishedIfNothingChanged) {
    wire::Status published = machine_of(16384 * mib);
    EXPECT_THAT(take_changes(published, machine_of(16384 * mib)), IsEmpty()) << "unknown shares are equal, too";
}

TEST(Changes, EveryChangeOfWordsIsPublished) {
    wire::Status published;
    wire::Status now;
    now.state = "paused";
    now.reason = "paused";
    now.paused_until_us = wire::until_resumed;
    EXPECT_THAT(take_changes(published, now), ElementsAre("State", "Reason", "ReasonCode", "ReasonValues", "PausedUntil"));
    EXPECT_THAT(take_changes(published, now), IsEmpty());
}

TEST(Changes, QuantitiesOfAReasonArePublishedWithItsSentence) {
    wire::Status published;
    published.reason = "5.1 GiB";
    published.reason_code = "measured";
    wire::Status now = published;
    now.reason_values["need-bytes"] = std::uint64_t{5'100'000'001};
    EXPECT_THAT(take_changes(published, now), IsEmpty()) << "nobody could see it";
    now.reason = "5.2 GiB";
    EXPECT_THAT(take_changes(published, now), ElementsAre("Reason", "ReasonCode", "ReasonValues"));
    EXPECT_EQ(published.reason_values, now.reason_values);
}

TEST(Changes, MemoryIsPublishedWhenAPersonCouldSeeIt) {
    wire::Status published = machine_of(16384 * mib);
    wire::Status now = published;
    now.opaque_bytes = 16 * mib;  // below a thousandth
    EXPECT_THAT(take_changes(published, now), IsEmpty());
    now.opaque_bytes = 17 * mib;
    EXPECT_THAT(take_changes(published, now), ElementsAre("OpaqueBytes"));

    published = now = machine_of(64 * mib);
    now.opaque_bytes = mib;  // above a thousandth, and still little
    EXPECT_THAT(take_changes(published, now), IsEmpty());
}

TEST(Changes, SmallStepsAddUp) {
    wire::Status published = machine_of(1024 * mib);
    wire::Status now = published;
    now.free_bytes = mib;
    EXPECT_THAT(take_changes(published, now), IsEmpty());
    now.free_bytes = 2 * mib;
    EXPECT_THAT(take_changes(published, now), ElementsAre("FreeBytes"));
    now.soft_bytes = 2 * mib;
    EXPECT_THAT(take_changes(published, now), ElementsAre("SoftBytes"));
}

TEST(Changes, ALimitThatAppearsOrEndsIsPublished) {
    wire::Status published = machine_of(1024 * mib);
    wire::Status now = published;
    now.opaque_limit_bytes = 512 * mib;
    EXPECT_THAT(take_changes(published, now), ElementsAre("OpaqueLimitBytes"));
    now.opaque_limit_bytes = wire::no_limit;
    EXPECT_THAT(take_changes(published, now), ElementsAre("OpaqueLimitBytes"));
}

TEST(Changes, SharesArePublishedWhenTheyBecomeKnownOrDiffer) {
    wire::Status published;
    wire::Status now;
    now.measured_stall = 0.001;
    EXPECT_THAT(take_changes(published, now), ElementsAre("MeasuredStall"));
    now.measured_stall = 0.0014;
    EXPECT_THAT(take_changes(published, now), IsEmpty());
    now.measured_stall = wire::unknown_share;
    EXPECT_THAT(take_changes(published, now), ElementsAre("MeasuredStall"));
}

TEST(Changes, TheEndOfAPauseIsPublishedToTheSecond) {
    wire::Status published;
    wire::Status now;
    now.paused_until_us = 1'800'000'000'000'000;
    EXPECT_THAT(take_changes(published, now), ElementsAre("PausedUntil"));
    now.paused_until_us += 999'999;
    EXPECT_THAT(take_changes(published, now), IsEmpty());
    now.paused_until_us = wire::until_resumed;
    EXPECT_THAT(take_changes(published, now), ElementsAre("PausedUntil"));
}

TEST(Changes, CapsAreOneProperty) {
    wire::Status published;
    wire::Status now;
    now.caps.only_on_mains = true;
    now.caps.quiet_hours = "22:00-07:00";
    EXPECT_THAT(take_changes(published, now), ElementsAre("Caps"));
}

TEST(Changes, GivenBytesAreNotPublished) {
    wire::Status published;
    wire::Status now;
    now.given_byte_seconds = 1e12;
    EXPECT_THAT(take_changes(published, now), IsEmpty());
}

TEST(Changes, OfAContribution) {
    Contribution published;
    Contribution now;
    now.memory_bytes = 100 * mib;
    now.state = "paused";
    now.weight = 1;
    now.far_bytes = 300 * mib;
    EXPECT_THAT(take_changes(published, now, 1024 * mib), ElementsAre("MemoryBytes", "State", "Weight", "FarBytes"));
    now.name = "another";
    EXPECT_THAT(take_changes(published, now, 1024 * mib), IsEmpty()) << "names are private";
}

TEST(Pace, TheFirstIsAtOnceTheNextWaits) {
    Pace pace(1s);
    EXPECT_TRUE(pace.may(AwakeTime(9900ms)));
    EXPECT_TRUE(pace.may(AwakeTime(10s))) << "nothing was done yet";
    pace.done(AwakeTime(10s));
    EXPECT_FALSE(pace.due());
    EXPECT_FALSE(pace.may(AwakeTime(10500ms)));
    EXPECT_EQ(pace.due(), AwakeTime(11s));
    EXPECT_FALSE(pace.may(AwakeTime(10900ms)));
    EXPECT_EQ(pace.due(), AwakeTime(11s)) << "putting off again is no delay";
    EXPECT_TRUE(pace.may(AwakeTime(11s)));
    EXPECT_FALSE(pace.due());
}

TEST(Retry, WaitsLongerEachTimeItFails) {
    Retry retry(5s, 15s);
    EXPECT_EQ(retry.due(), AwakeTime(0s)) << "the first is at once";
    retry.failed(AwakeTime(100s));
    EXPECT_EQ(retry.due(), AwakeTime(105s));
    retry.failed(AwakeTime(105s));
    EXPECT_EQ(retry.due(), AwakeTime(115s));
    retry.failed(AwakeTime(115s));
    EXPECT_EQ(retry.due(), AwakeTime(130s)) << "but never longer than the maximum";
    retry.succeeded();
    retry.failed(AwakeTime(200s));
    EXPECT_EQ(retry.due(), AwakeTime(205s));
}

}  // namespace
}  // namespace tmm::bus
