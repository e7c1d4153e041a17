// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/opaque_delta.hpp"

#include <gtest/gtest.h>

namespace tmm::os {
namespace {

using Difference = OpaqueDelta<2>;
using Counters = Difference::Counters;
using Cgroups = std::map<std::string, Counters>;

Counters read_delta(Difference& difference, const Counters& machine, const Cgroups& cgroups) {
    std::vector<std::string> paths{"vanished"};
    for (const auto& [path, counters] : cgroups)
        paths.push_back(path);
    return difference.read_delta(machine, paths, [&](const std::string& path) -> std::optional<Counters> {
        const auto found = cgroups.find(path);
        return found == cgroups.end() ? std::nullopt : std::optional(found->second);
    });
}

TEST(OpaqueDelta, TheFirstCallOnlyStarts) {
    Difference difference;
    EXPECT_EQ(read_delta(difference, {100, 200}, {{"a", {10, 20}}}), (Counters{0, 0}));
    EXPECT_EQ(read_delta(difference, {100, 200}, {{"a", {10, 20}}}), (Counters{0, 0}));
}

TEST(OpaqueDelta, TakesTheCgroupsFromTheMachine) {
    Difference difference;
    read_delta(difference, {100, 200}, {{"a", {10, 20}}, {"b", {1, 2}}});
    EXPECT_EQ(read_delta(difference, {150, 300}, {{"a", {20, 20}}, {"b", {2, 92}}}), (Counters{50 - 11, 100 - 90}));
}

TEST(OpaqueDelta, CgroupsComeGoAndStartAgain) {
    Difference difference;
    read_delta(difference, {0, 0}, {{"a", {10, 10}}});
    EXPECT_EQ(read_delta(difference, {100, 100}, {{"a", {10, 10}}, {"new", {30, 40}}}), (Counters{70, 60}));
    EXPECT_EQ(read_delta(difference, {200, 200}, {{"new", {5, 45}}}), (Counters{95, 95}))
        << "'a' is gone, 'new' began again with 5";
    EXPECT_EQ(read_delta(difference, {300, 300}, {{"a", {12, 13}}, {"new", {5, 45}}}), (Counters{88, 87}))
        << "'a' is another cgroup";
}

TEST(OpaqueDelta, IsNeverBelowZero) {
    Difference difference;
    read_delta(difference, {100, 100}, {{"a", {0, 0}}});
    EXPECT_EQ(read_delta(difference, {110, 90}, {{"a", {11, 5}}}), (Counters{0, 0}))
        << "a part read later than the whole; a machine whose counter fell";
    EXPECT_EQ(read_delta(difference, {120, 95}, {{"a", {11, 5}}}), (Counters{10, 5})) << "counting goes on from there";
}

}  // namespace
}  // namespace tmm::os
