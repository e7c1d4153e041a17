// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/process_watch.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/temp_tree.hpp"
#include "tmmd/os/sources/counts/helped_footprints.hpp"

namespace tmm::os {
namespace {

TEST(StuckProcesses, AreNotLookedAtAgain) {
    TempTree tree;
    tree.dir("proc/10").dir("proc/12").dir("proc/13").dir("proc/14");
    StuckProcesses stuck;
    EXPECT_FALSE(stuck.has(10, 1000));
    for (const std::uint64_t number : {10, 11, 12}) {
        stuck.add(number, 1000);
        stuck.add(number, 0);
    }
    EXPECT_TRUE(stuck.has(11, 1000));
    EXPECT_FALSE(stuck.has(13, 1000));
    stuck.add(13, 1000);
    stuck.add(13, 0);
    EXPECT_TRUE(stuck.has(14, 1000)) << "whoever has many has all of them left out";
    EXPECT_FALSE(stuck.has(14, 1001));
    EXPECT_FALSE(stuck.has(14, 0));
    stuck.begin_pass(tree.root());
    EXPECT_FALSE(stuck.has(11, 0)) << "it has ended";
    EXPECT_TRUE(stuck.has(10, 0));
}

TEST(StuckProcesses, OfAUserCountAfterTheirEndUntilTheyAreForgiven) {
    TempTree tree;
    tree.dir("proc/14");
    StuckProcesses stuck;
    for (std::uint64_t number = 10; number < 10 + StuckProcesses::max_per_user; ++number) {
        EXPECT_FALSE(stuck.has(14, 1000));
        stuck.add(number, 1000);
        stuck.begin_pass(tree.root());
    }
    EXPECT_TRUE(stuck.has(14, 1000)) << "whoever starts one after another stops the look at others each time";
    for (std::size_t pass = 0; pass < StuckProcesses::passes_to_forgive; ++pass)
        stuck.begin_pass(tree.root());
    EXPECT_FALSE(stuck.has(14, 1000));
    stuck.add(9, 1000);
    EXPECT_TRUE(stuck.has(14, 1000)) << "one is forgiven at a time";
}

TEST(ProcessWatch, TellsWhenTheLatestLookBegan) {
    TempTree tree;
    auto watch = ProcessWatch::make().value();
    const ProcessWatch::TimePoint start(std::chrono::hours(1));
    watch.prepare(tree.root(), start);
    EXPECT_EQ(watch.latest(), start);
    EXPECT_EQ(watch.give_up(), std::nullopt) << "no look has begun";
    for (int i = 1; i <= 100; ++i) {
        EXPECT_TRUE(watch.begin({std::to_string(i), "/user.slice", 1000}, start + std::chrono::seconds(i)));
        EXPECT_EQ(watch.latest(), start + std::chrono::seconds(i)) << "many looks are not one";
    }
    EXPECT_EQ(watch.give_up(), "process 100 of user 1000");
    EXPECT_FALSE(watch.begin({"100", "/user.slice", 1000}, start + std::chrono::seconds(200)));
    EXPECT_EQ(watch.latest(), start + std::chrono::seconds(100));
    watch.prepare(tree.root(), start + std::chrono::seconds(300));
    EXPECT_EQ(watch.give_up(), std::nullopt) << "that was in the order before";
}

// A process whose files are a FIFO: whoever opens it waits without end.
TEST(WatchedFootprints, AStuckProcessStopsNobodyForLong) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "without CAP_SYS_PTRACE and CAP_DAC_OVERRIDE there is no helper";
    TempTree tree;
    for (const char* pid : {"1", "20"})
        tree.file(std::string("proc/") + pid + "/cgroup", "0::/user.slice\n");
    tree.file("proc/1/io", "rchar: 9000000\nsyscr: 999\nread_bytes: 0\n");
    ASSERT_EQ(::mkfifo((tree.path() / "proc/20/io").c_str(), 0600), 0);
    auto [tmmds, helpers] = MessageSocket::pair().value();
    const RootDir root = tree.root();
    std::thread watcher([&root, socket = std::move(helpers)]() mutable {
        watch_footprints(socket, root, std::chrono::milliseconds(200));
        socket = MessageSocket(UniqueFd());
    });
    {
        const auto helper = std::make_shared<FootprintHelper>(
            std::make_unique<HelperProcess>(std::move(tmmds), 0),
            FootprintHelper::Waits{.blocking = std::chrono::hours(1), .ahead = std::chrono::hours(1)});
        const auto stuck = helper->ask(FootprintOrder::Kind::files);
        EXPECT_EQ(stuck.error().code(), ETIMEDOUT);
        EXPECT_NE(stuck.error().message().find("process 20 of user"), std::string::npos) << stuck.error().message();
        EXPECT_TRUE(helper->ask(FootprintOrder::Kind::files)) << "the others are looked at";
    }
    watcher.join();
}

}  // namespace
}  // namespace tmm::os
