// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/contributions/contributions.hpp"

#include <gtest/gtest.h>
#include <sys/xattr.h>

#include <algorithm>
#include <cerrno>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/fake_evictor.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"

namespace tmm::app {
namespace {

using std::chrono::seconds;

using os::slice;
const std::string povray = slice + "/maketransparent-povray-1.scope";
const std::string boinc = slice + "/boinc.service";
const std::string marked = "sys/fs/cgroup/marked";

class ContributionsTest : public testing::Test {
protected:
    ContributionsTest() {
        add(povray);
        add(boinc);
        tree_.file(slice + "/cgroup.freeze", "0").file(slice + "/cgroup.procs", "");
        if (::setxattr((tree_.path() / slice).c_str(), "user.tmm.test", "1", 1, 0) != 0)
            has_attributes_ = false;
    }

    void add(const std::string& cgroup) {
        tree_.file(cgroup + "/cgroup.procs", "").file(cgroup + "/cgroup.freeze", "0").file(cgroup + "/cgroup.kill", "");
        tree_.file(cgroup + "/cgroup.events", "populated 1\nfrozen 0\n").file(cgroup + "/memory.current", "4096\n");
        tree_.file(cgroup + "/cpu.weight", "100\n");
    }
    Contributions make(bool dry_run = false) {
        Contributions contributions(root_, log_, evictor_, dry_run);
        contributions.update(tops_);
        return contributions;
    }
    static ContributionInfo named(const Contributions& contributions, const std::string& name) {
        for (const ContributionInfo& info : contributions.list()) {
            if (info.name == name)
                return info;
        }
        return {};
    }
    void never_freeze(const std::string& cgroup) {
        ASSERT_EQ(::setxattr((tree_.path() / cgroup).c_str(), "user.tmm.freeze", "never", 5, 0), 0);
    }
    bool frozen(const std::string& cgroup) { return tree_.text(cgroup + "/cgroup.freeze").substr(0, 1) == "1"; }

    TempTree tree_;
    RootDir root_ = tree_.root();
    Log log_{"test", LogLevel::error, false};
    std::vector<std::string> asked_to_evict_;
    os::FakeEvictor evictor_{asked_to_evict_};
    std::vector<std::string> tops_{slice};
    bool has_attributes_ = true;
};

TEST_F(ContributionsTest, AreListed) {
    const Contributions contributions = make();
    const auto infos = contributions.list();
    ASSERT_EQ(infos.size(), 2U);
    const ContributionInfo info = named(contributions, "povray");
    EXPECT_NE(info.id, 0U);
    EXPECT_EQ(info.memory_bytes, Bytes(4096));
    EXPECT_EQ(info.weight, 100U);
    EXPECT_EQ(info.state, WorkState::running);
    EXPECT_NE(info.id, named(contributions, "boinc.service").id);
}

TEST_F(ContributionsTest, SayHowMuchIsFar) {
    if (::setxattr((tree_.path() / povray).c_str(), "user.tmm.far", "8192", 4, 0) != 0)
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    EXPECT_EQ(named(make(), "povray").far_bytes, Bytes(8192));
}

TEST_F(ContributionsTest, ComeAndGo) {
    Contributions contributions = make();
    const std::uint64_t id = named(contributions, "povray").id;
    tree_.file(povray + "/cgroup.events", "populated 0\n");
    EXPECT_EQ(contributions.list().size(), 1U);
    std::filesystem::remove_all(tree_.path() / povray);
    add(slice + "/blender");
    contributions.update(tops_);
    EXPECT_EQ(contributions.list().size(), 2U);
    EXPECT_EQ(contributions.pause(id).error().code(), ENOENT);
    EXPECT_EQ(contributions.stop(id, core::AwakeTime(seconds(0))).error().code(), ENOENT);
    EXPECT_EQ(contributions.set_weight(id, 5).error().code(), ENOENT);
    EXPECT_EQ(contributions.rename(id, "x").error().code(), ENOENT);
    EXPECT_TRUE(contributions.processes(id).empty());
}

TEST_F(ContributionsTest, OneIsPausedAndGoesOn) {
    Contributions contributions = make();
    const std::uint64_t id = named(contributions, "povray").id;
    ASSERT_TRUE(contributions.pause(id));
    EXPECT_TRUE(frozen(povray));
    EXPECT_FALSE(frozen(boinc));
    EXPECT_EQ(named(contributions, "povray").state, WorkState::paused);
    contributions.update(tops_);
    EXPECT_TRUE(named(contributions, "povray").paused) << "a new discovery keeps the pause";
    ASSERT_TRUE(contributions.resume(id));
    EXPECT_FALSE(frozen(povray));
    EXPECT_EQ(named(contributions, "povray").state, WorkState::running);
}

TEST_F(ContributionsTest, AllAreHeldByTheirSlice) {
    add(marked);
    tops_ = {marked, slice};
    Contributions contributions = make();
    contributions.hold(core::Hold::evict);
    EXPECT_TRUE(frozen(slice)) << "so that a newcomer is frozen, too";
    EXPECT_FALSE(frozen(povray));
    EXPECT_TRUE(frozen(marked));
    EXPECT_EQ(named(contributions, "povray").state, WorkState::paused);
    EXPECT_FALSE(named(contributions, "povray").paused);
    contributions.hold(core::Hold::none);
    EXPECT_FALSE(frozen(slice));
    EXPECT_FALSE(frozen(marked));
}

TEST_F(ContributionsTest, APauseOutlastsAHold) {
    add(marked);
    tops_ = {marked, slice};
    Contributions contributions = make();
    ASSERT_TRUE(contributions.pause(named(contributions, "marked").id));
    ASSERT_TRUE(contributions.pause(named(contributions, "povray").id));
    contributions.hold(core::Hold::evict);
    contributions.hold(core::Hold::none);
    EXPECT_TRUE(frozen(marked));
    EXPECT_TRUE(frozen(povray));
    EXPECT_FALSE(frozen(slice));
    contributions.hold(core::Hold::evict);
    ASSERT_TRUE(contributions.resume(named(contributions, "marked").id));
    EXPECT_TRUE(frozen(marked)) << "still held";
}

TEST_F(ContributionsTest, ASliceThatAppearsDuringAHoldIsHeld) {
    tops_.clear();
    Contributions contributions = make();
    contributions.hold(core::Hold::evict);
    EXPECT_FALSE(frozen(slice));
    contributions.update({slice});
    EXPECT_TRUE(frozen(slice));
}

// Its user may take the mark away, or make so many that it is one too many.
TEST_F(ContributionsTest, WhatIsNoContributionAnyMoreIsLetGo) {
    add(marked);
    tops_ = {marked, slice};
    Contributions contributions = make();
    ASSERT_TRUE(contributions.pause(named(contributions, "povray").id));
    contributions.hold(core::Hold::evict);
    ASSERT_TRUE(frozen(marked) && frozen(slice) && frozen(povray));
    asked_to_evict_.clear();
    contributions.update({});
    EXPECT_FALSE(frozen(marked));
    EXPECT_FALSE(frozen(slice));
    EXPECT_FALSE(frozen(povray));
    EXPECT_EQ(std::ranges::count(asked_to_evict_, "spare " + marked), 1) << "nothing is taken from what runs";
    contributions.update(tops_);
    EXPECT_TRUE(frozen(marked) && frozen(slice)) << "it is one again";
}

TEST_F(ContributionsTest, ADaemonThatEndsLetsAllGoAndTheNextOnePausesAgain) {
    if (!has_attributes_)
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    {
        Contributions contributions = make();
        ASSERT_TRUE(contributions.pause(named(contributions, "povray").id));
        contributions.hold(core::Hold::evict);
        asked_to_evict_.clear();
        contributions.release_all();
    }
    EXPECT_FALSE(frozen(slice));
    EXPECT_FALSE(frozen(povray));
    EXPECT_EQ(asked_to_evict_, (std::vector<std::string>{"spare " + slice, "spare " + povray})) << "it runs again";
    const Contributions contributions = make();
    EXPECT_TRUE(frozen(povray));
    EXPECT_FALSE(frozen(boinc));
    EXPECT_TRUE(named(contributions, "povray").paused);
}

TEST_F(ContributionsTest, WhatAKilledDaemonHeldIsLetGo) {
    if (!has_attributes_)
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    make().hold(core::Hold::evict);
    ASSERT_TRUE(frozen(slice));
    make();
    EXPECT_FALSE(frozen(slice));
}

TEST_F(ContributionsTest, AStopEndsInAKill) {
    Contributions contributions = make();
    const std::uint64_t id = named(contributions, "povray").id;
    ASSERT_TRUE(contributions.pause(id));
    ASSERT_TRUE(contributions.stop(id, core::AwakeTime(seconds(100))));
    EXPECT_FALSE(frozen(povray)) << "a frozen process cannot end";
    EXPECT_EQ(named(contributions, "povray").state, WorkState::stopping);
    contributions.tick(core::AwakeTime(seconds(100)) + Contributions::grace - seconds(1));
    EXPECT_EQ(tree_.text(povray + "/cgroup.kill"), "");
    ASSERT_TRUE(contributions.stop(id, core::AwakeTime(seconds(105)))) << "a second call does not delay the kill";
    contributions.tick(core::AwakeTime(seconds(100)) + Contributions::grace);
    EXPECT_EQ(tree_.text(povray + "/cgroup.kill"), "1");
    EXPECT_EQ(tree_.text(boinc + "/cgroup.kill"), "");
}

TEST_F(ContributionsTest, AreSteered) {
    Contributions contributions = make();
    const std::uint64_t id = named(contributions, "povray").id;
    ASSERT_TRUE(contributions.set_weight(id, 7));
    EXPECT_EQ(tree_.text(povray + "/cpu.weight").substr(0, 1), "7");
    EXPECT_EQ(contributions.set_weight(id, 0).error().code(), EINVAL);
    ASSERT_TRUE(contributions.rename(id, "Мой 🧬"));
    contributions.update(tops_);
    EXPECT_EQ(named(contributions, "Мой 🧬").id, id);
    tree_.file(povray + "/cgroup.procs", "5\n");
    EXPECT_EQ(contributions.processes(id), (std::vector<pid_t>{5}));
}

TEST_F(ContributionsTest, AProcessIsFoundByItsCgroup) {
    const Contributions contributions = make();
    tree_.file("proc/5/cgroup", "1:name=systemd:/x\n0::/transparent.slice/maketransparent-povray-1.scope/below\n");
    tree_.file("proc/6/cgroup", "0::/user.slice\n").file("proc/7/cgroup", "");
    tree_.file("proc/8/cgroup", "0::/transparent.slice/maketransparent-povray-1.scope2\n");
    EXPECT_EQ(contributions.find_by_process(5), named(contributions, "povray").id);
    for (const pid_t pid : {6, 7, 8, 9})
        EXPECT_EQ(contributions.find_by_process(pid), std::nullopt) << pid;
}

// Otherwise one user's contributions could displace another's.
TEST_F(ContributionsTest, AUserHasABoundedNumber) {
    for (std::size_t i = 0; i < Contributions::max_per_user; ++i)
        add(slice + "/a" + std::to_string(i));
    EXPECT_EQ(make().list().size(), Contributions::max_per_user);
}

TEST_F(ContributionsTest, ADryRunChangesNothing) {
    Contributions contributions = make(true);
    const std::uint64_t id = named(contributions, "povray").id;
    contributions.hold(core::Hold::evict);
    ASSERT_TRUE(contributions.pause(id));
    ASSERT_TRUE(contributions.set_weight(id, 5));
    EXPECT_FALSE(frozen(slice));
    EXPECT_FALSE(frozen(povray));
    EXPECT_EQ(tree_.text(povray + "/cpu.weight"), "100\n");
}

TEST_F(ContributionsTest, WhatAKilledDaemonHeldIsReleased) {
    if (!has_attributes_)
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    add(marked);
    tree_.file("sys/fs/cgroup/cgroup.controllers", "").file(marked + "/cgroup.freeze", "1");  // its owner froze it
    ASSERT_EQ(::setxattr((tree_.path() / marked).c_str(), "user.tmm.class", "transparent", 11, 0), 0);
    {
        Contributions contributions = make();
        ASSERT_TRUE(contributions.pause(named(contributions, "povray").id));
        contributions.hold(core::Hold::freeze);
    }
    EXPECT_TRUE(frozen(slice));
    const auto released = Contributions::release_left_behind(root_);
    ASSERT_TRUE(released) << released.error().message();
    EXPECT_FALSE(frozen(slice));
    EXPECT_FALSE(frozen(povray));
    EXPECT_TRUE(frozen(marked)) << "tmmd did not freeze it";
    EXPECT_TRUE(named(make(), "povray").paused) << "the pause is still known";
}

TEST_F(ContributionsTest, WhatStandsStillIsEvictedOnce) {
    Contributions contributions = make();
    const std::uint64_t id = named(contributions, "povray").id;
    ASSERT_TRUE(contributions.pause(id));
    contributions.hold(core::Hold::evict);
    contributions.update(tops_);
    EXPECT_EQ(asked_to_evict_, (std::vector<std::string>{"evict " + povray, "evict " + slice}));
    asked_to_evict_.clear();
    contributions.hold(core::Hold::freeze);
    EXPECT_TRUE(asked_to_evict_.empty()) << "no request is made twice";
    contributions.hold(core::Hold::none);
    EXPECT_EQ(asked_to_evict_, std::vector<std::string>{"spare " + slice});
    ASSERT_TRUE(contributions.resume(id));
    EXPECT_EQ(asked_to_evict_.back(), "spare " + povray);
}

TEST_F(ContributionsTest, WhatIsOnlyFrozenKeepsItsMemoryUntilTheOwnerAsks) {
    Contributions contributions = make();
    contributions.hold(core::Hold::freeze);
    EXPECT_TRUE(frozen(slice));
    EXPECT_TRUE(asked_to_evict_.empty());
    contributions.hold(core::Hold::evict);
    EXPECT_EQ(asked_to_evict_, std::vector<std::string>{"evict " + slice});
}

TEST_F(ContributionsTest, APartIsEvictedFromHeldOnesTheLargestFirst) {
    add(marked);
    tree_.file(marked + "/memory.current", "100000\n").file(slice + "/memory.current", "300000\n");
    tops_ = {marked, slice};
    Contributions contributions = make();
    EXPECT_TRUE(contributions.evict_held(Bytes(350'000)));
    EXPECT_TRUE(asked_to_evict_.empty()) << "never from a running one";
    contributions.hold(core::Hold::freeze);
    EXPECT_TRUE(contributions.evict_held(Bytes(350'000)));
    EXPECT_EQ(asked_to_evict_, (std::vector<std::string>{"evict 300000 of " + slice, "evict 50000 of " + marked}));
    asked_to_evict_.clear();
    EXPECT_TRUE(contributions.evict_held(Bytes(1000)));
    EXPECT_EQ(asked_to_evict_, (std::vector<std::string>{"evict 1000 of " + slice}));
    asked_to_evict_.clear();
    contributions.hold(core::Hold::none);
    EXPECT_EQ(asked_to_evict_, (std::vector<std::string>{"spare " + slice, "spare " + marked})) << "before they go on";
}

TEST_F(ContributionsTest, APartIsNotTakenFromAPausedOneNorInADryRun) {
    add(marked);
    tops_ = {marked};
    Contributions contributions = make();
    ASSERT_TRUE(contributions.pause(named(contributions, "marked").id));
    contributions.hold(core::Hold::freeze);
    asked_to_evict_.clear();
    EXPECT_TRUE(contributions.evict_held(Bytes(4096)));
    EXPECT_TRUE(asked_to_evict_.empty()) << "it loses all that it has anyway";
    Contributions dry = make(true);
    dry.hold(core::Hold::freeze);
    EXPECT_TRUE(dry.evict_held(Bytes(4096)));
    EXPECT_TRUE(asked_to_evict_.empty());
}

TEST_F(ContributionsTest, OneThatIsNeverToBeFrozenRunsThroughAHoldAndOthersDoNot) {
    if (!has_attributes_)
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    never_freeze(povray);
    Contributions contributions = make();
    contributions.hold(core::Hold::freeze);
    EXPECT_FALSE(frozen(slice));
    EXPECT_FALSE(frozen(povray));
    EXPECT_TRUE(frozen(boinc));
    EXPECT_EQ(named(contributions, "povray").state, WorkState::running);
    EXPECT_EQ(named(contributions, "boinc.service").state, WorkState::paused);
    EXPECT_TRUE(asked_to_evict_.empty());
    contributions.hold(core::Hold::evict);
    contributions.update(tops_);
    EXPECT_FALSE(frozen(povray));
    std::ranges::sort(asked_to_evict_);
    EXPECT_EQ(asked_to_evict_, (std::vector<std::string>{"evict " + boinc, "evict " + povray})) << "once each";
    asked_to_evict_.clear();
    contributions.hold(core::Hold::none);
    EXPECT_FALSE(frozen(boinc));
    std::ranges::sort(asked_to_evict_);
    EXPECT_EQ(asked_to_evict_, (std::vector<std::string>{"spare " + boinc, "spare " + povray}));
}

TEST_F(ContributionsTest, AMarkedOneThatIsNeverToBeFrozenRuns) {
    if (!has_attributes_)
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    add(marked);
    never_freeze(marked);
    tops_ = {marked, slice};
    Contributions contributions = make();
    contributions.hold(core::Hold::evict);
    EXPECT_FALSE(frozen(marked));
    EXPECT_TRUE(frozen(slice)) << "none of its contributions asks for it";
    EXPECT_FALSE(frozen(povray));
}

TEST_F(ContributionsTest, APauseByHandFreezesEvenOneThatIsNeverToBeFrozen) {
    if (!has_attributes_)
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    never_freeze(povray);
    Contributions contributions = make();
    const std::uint64_t id = named(contributions, "povray").id;
    ASSERT_TRUE(contributions.pause(id));
    EXPECT_TRUE(frozen(povray));
    contributions.hold(core::Hold::freeze);
    EXPECT_TRUE(frozen(povray));
    EXPECT_EQ(named(contributions, "povray").state, WorkState::paused);
    ASSERT_TRUE(contributions.resume(id));
    EXPECT_FALSE(frozen(povray) || frozen(slice)) << "the hold does not freeze it";
    EXPECT_EQ(asked_to_evict_.back(), "spare " + povray);
}

TEST_F(ContributionsTest, TheWishNeverToBeFrozenMayComeAndGoDuringAHold) {
    if (!has_attributes_)
        GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
    Contributions contributions = make();
    contributions.hold(core::Hold::evict);
    ASSERT_TRUE(frozen(slice));
    never_freeze(povray);
    contributions.update(tops_);
    EXPECT_FALSE(frozen(slice));
    EXPECT_FALSE(frozen(povray));
    EXPECT_TRUE(frozen(boinc));
    ::removexattr((tree_.path() / povray).c_str(), "user.tmm.freeze");
    contributions.update(tops_);
    EXPECT_TRUE(frozen(slice));
    EXPECT_FALSE(frozen(boinc)) << "its slice is frozen";
    contributions.release_all();
    EXPECT_FALSE(frozen(slice));
}

TEST_F(ContributionsTest, ADryRunEvictsNothing) {
    Contributions contributions = make(true);
    ASSERT_TRUE(contributions.pause(named(contributions, "povray").id));
    contributions.hold(core::Hold::evict);
    EXPECT_TRUE(asked_to_evict_.empty());
}

}  // namespace
}  // namespace tmm::app
