// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/process/listing.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace tmm {
namespace {

std::vector<Contribution> three() {
    return {{"povray", "/c/povray", {3, 5}, 3U << 20, false},
            {"povray", "/c/povray+2", {7}, {}, false},
            {"boinc-client.service", "/c/boinc-client.service", {1, 2, 4, 6, 8, 9, 10, 11}, 0, true}};
}

TEST(FormatList, AlignsColumns) {
    EXPECT_EQ(format_list(three()),
              "NAME                  MEMORY  PIDS            CGROUP\n"
              "povray                3 MiB   3,5             /c/povray\n"
              "povray                -       7               /c/povray+2\n"
              "boinc-client.service  0 B     1,2,4,6,8,9,+2  /c/boinc-client.service\n");
}

// Anybody names cgroups of their own.
TEST(FormatList, ANameCannotDriveTheTerminal) {
    EXPECT_EQ(format_list({{"a\033[2J\u00e9", "/c/a\nb", {3}, 0, false}}),
              "NAME       MEMORY  PIDS  CGROUP\n"
              "a\\x1b[2J\u00e9  0 B     3     /c/a\\x0ab\n");
}

TEST(FormatList, HasAHeaderWhenEmpty) {
    EXPECT_EQ(format_list({}), "NAME  MEMORY  PIDS  CGROUP\n");
}

TEST(FindTarget, AName) {
    EXPECT_EQ(*find_target(three(), "povray"), (std::vector<pid_t>{3, 5, 7}));
}

TEST(FindTarget, AProcess) {
    EXPECT_EQ(*find_target(three(), "5"), (std::vector<pid_t>{5}));
}

TEST(FindTarget, NeitherNameNorProcess) {
    for (const char* target : {"blender", "12", "povray+2"}) {
        const auto found = find_target(three(), target);
        ASSERT_FALSE(found) << target;
        EXPECT_EQ(found.error().code(), ENOENT);
    }
    EXPECT_FALSE(find_target({}, "povray"));
}

TEST(FindTarget, LeavesUnitsOfSystemdAlone) {
    EXPECT_EQ(find_target(three(), "boinc-client.service").error().code(), EPERM);
    EXPECT_EQ(find_target(three(), "4").error().code(), EPERM);
}

}  // namespace
}  // namespace tmm
