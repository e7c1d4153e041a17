// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/files/idle_segment.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

#include "base/temp_tree.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::seconds;

class IdleSegmentTest : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path path() const { return tree_.path() / "shm" / IdleSegment::name; }
    // As a client reads it.
    [[nodiscard]] std::array<std::int64_t, 2> times() const {
        const std::string text = tree_.text(std::string("shm/") + IdleSegment::name);
        std::array<std::int64_t, 2> read{};
        EXPECT_EQ(text.size(), sizeof read);
        std::memcpy(read.data(), text.data(), std::min(text.size(), sizeof read));
        return read;
    }

    // Before the segment, which opens its folder.
    struct Tree : TempTree {
        Tree() { dir("shm"); }
    };
    Tree tree_;
    IdleSegment segment{tree_.root().subdir("shm").value()};
};

TEST_F(IdleSegmentTest, HasTheTimesForEverybodyToRead) {
    ASSERT_TRUE(segment.write({seconds(1'700'000'000), seconds(1'699'999'000)}));
    EXPECT_EQ(times(), (std::array<std::int64_t, 2>{1'700'000'000, 1'699'999'000}));
    struct stat status {};
    ASSERT_EQ(::stat(path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0644U);
}

TEST_F(IdleSegmentTest, IsTheSameFileForTheNextWriter) {
    ASSERT_TRUE(segment.write({seconds(1), seconds(1)}));
    struct stat before {};
    ASSERT_EQ(::stat(path().c_str(), &before), 0);
    IdleSegment next(tree_.root().subdir("shm").value());
    ASSERT_TRUE(next.write({seconds(5), seconds(2)}));
    struct stat after {};
    ASSERT_EQ(::stat(path().c_str(), &after), 0);
    EXPECT_EQ(before.st_ino, after.st_ino) << "clients map it once";
    EXPECT_EQ(times()[0], 5);
}

TEST_F(IdleSegmentTest, IsMadeAnewIfSomebodyRemovedIt) {
    ASSERT_TRUE(segment.write({seconds(1), seconds(1)}));
    std::filesystem::remove(path());
    ASSERT_TRUE(segment.write({seconds(5), seconds(2)}));
    EXPECT_EQ(times()[1], 2);
}

TEST_F(IdleSegmentTest, ALinkIsNotFollowed) {
    tree_.file("precious", "text");
    std::filesystem::create_symlink(tree_.path() / "precious", path());
    const auto written = segment.write({seconds(1), seconds(1)});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code(), EEXIST);
    EXPECT_EQ(tree_.text("precious"), "text");
    std::filesystem::remove(path());
    std::filesystem::create_hard_link(tree_.path() / "precious", path());
    EXPECT_FALSE(segment.write({seconds(1), seconds(1)}));
    EXPECT_EQ(tree_.text("precious"), "text");
}

TEST_F(IdleSegmentTest, AnotherKindOfFileStaysAsItIs) {
    ASSERT_EQ(::mkfifo(path().c_str(), 0666), 0);
    const auto written = segment.write({seconds(1), seconds(1)});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code(), EEXIST);
}

TEST_F(IdleSegmentTest, AnotherUsersFileStaysAsItIs) {
    tree_.file(std::string("shm/") + IdleSegment::name, "other");
    if (::chown(path().c_str(), 12345, 12345) != 0)
        GTEST_SKIP() << "only root gives files to another user";
    const auto written = segment.write({seconds(1), seconds(1)});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code(), EEXIST);
    EXPECT_EQ(tree_.text(std::string("shm/") + IdleSegment::name), "other");
}

TEST_F(IdleSegmentTest, AFileThatOthersMayWriteStaysAsItIs) {
    for (const mode_t mode : {0664U, 0646U}) {
        tree_.file(std::string("shm/") + IdleSegment::name, "other");
        ASSERT_EQ(::chmod(path().c_str(), mode), 0);
        const auto written = segment.write({seconds(1), seconds(1)});
        ASSERT_FALSE(written) << mode;
        EXPECT_EQ(written.error().code(), EEXIST);
        EXPECT_EQ(tree_.text(std::string("shm/") + IdleSegment::name), "other");
    }
}

TEST_F(IdleSegmentTest, TheClientReadsItWhateverTheUnitsUmask) {
    const mode_t before = ::umask(0077);
    const auto written = segment.write({seconds(1), seconds(1)});
    ::umask(before);
    ASSERT_TRUE(written);
    struct stat status {};
    ASSERT_EQ(::stat(path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0644U);
}

TEST_F(IdleSegmentTest, EachUpdateReplacesTheOneBefore) {
    ASSERT_TRUE(segment.write({seconds(1), seconds(1)}));
    ASSERT_TRUE(segment.write({seconds(5), seconds(2)}));
    EXPECT_EQ(times(), (std::array<std::int64_t, 2>{5, 2}));
}

using Idle = std::optional<std::chrono::duration<double>>;
constexpr Version reader{8, 2, 10};

TEST(IdleTimes, AreThoseOfTheWallClock) {
    using std::chrono::milliseconds;
    EXPECT_EQ(idle_times(
                  reader, [] { return Idle(90.2); }, milliseconds(1'700'000'000'900)),
              (IdleTimes{seconds(1'700'000'000), seconds(1'699'999'910)}));
    EXPECT_EQ(idle_times(
                  reader, [] { return Idle(0); }, milliseconds(1'700'000'000'900)),
              (IdleTimes{seconds(1'700'000'000), seconds(1'700'000'000)}));
}

TEST(IdleTimes, AreForClientsFrom8210) {
    const auto reads = [](const std::optional<Version>& version) {
        bool was_asked = false;
        const auto times = idle_times(
            version,
            [&] {
                was_asked = true;
                return Idle(1);
            },
            seconds(1'700'000'000));
        EXPECT_EQ(times.has_value(), was_asked) << "only for a client that reads it";
        return times.has_value();
    };
    EXPECT_FALSE(reads({}));
    EXPECT_FALSE(reads(Version{7, 20, 5}));
    EXPECT_FALSE(reads(Version{8, 0, 11}));
    EXPECT_FALSE(reads(Version{8, 2, 9}));
    EXPECT_TRUE(reads(Version{8, 2, 10}));
    EXPECT_TRUE(reads(Version{8, 3, 0}));
    EXPECT_TRUE(reads(Version{9, 0, 0}));
}

TEST(IdleTimes, AreNotToldIfNothingTellsThem) {
    EXPECT_FALSE(idle_times(
        reader, [] { return Idle(); }, seconds(1'700'000'000)));
}

}  // namespace
}  // namespace tmm::boinc
