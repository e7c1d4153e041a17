// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/helped_footprints.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

// Returns tmmd's end of a helper without a process, whose end goes to helpers_socket.
std::unique_ptr<FootprintHelper> make_helper(std::optional<MessageSocket>& helpers_socket, const FootprintHelper::Waits& waits) {
    auto [tmmds, helpers] = MessageSocket::pair().value();
    helpers_socket = std::move(helpers);
    return std::make_unique<FootprintHelper>(std::make_unique<HelperProcess>(std::move(tmmds), 0), waits);
}

// tmmd's end, with the test at the other one.
class FootprintHelperTest : public testing::Test {
protected:
    // blocking, ahead: as in FootprintHelper::Waits.
    std::unique_ptr<FootprintHelper> make(std::chrono::milliseconds blocking, std::chrono::milliseconds ahead) {
        return make_helper(socket_, {blocking, ahead});
    }
    std::unique_ptr<FootprintHelper> make(std::chrono::milliseconds wait) { return make(wait, wait); }
    void reply(const FootprintReply& reply) { ASSERT_TRUE(socket_->send(text_of(reply))); }
    // Returns the next order, if one has come.
    std::optional<FootprintOrder> order() {
        const auto message = socket_->receive(no_wait);
        return message && *message ? std::optional(parse_footprint_order((*message)->text).value()) : std::nullopt;
    }

    std::optional<MessageSocket> socket_;  // the helper's
};

constexpr auto read_kind = FootprintOrder::Kind::read;

TEST_F(FootprintHelperTest, TellsTheReplyAndItsTime) {
    const auto helper = make(no_wait);
    const FootprintMap footprints{{5, {{core::Pages(3), core::Pages(2)}, {core::Pages(1), core::Pages(0)}}}};
    reply({1, std::chrono::milliseconds(20), 0, "", footprints});
    const auto read = helper->ask(read_kind, {"sys/fs/cgroup/transparent.slice"});
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(*read, footprints);
    EXPECT_EQ(order(), (FootprintOrder{1, read_kind, {"sys/fs/cgroup/transparent.slice"}}));
    reply({2, std::chrono::milliseconds(5), EACCES, "proc/1/smaps_rollup", {}});
    const auto refused = helper->ask(read_kind);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), EACCES);
    EXPECT_EQ(refused.error().message(), "proc/1/smaps_rollup");
    EXPECT_DOUBLE_EQ(helper->cpu_time().count(), 0.025) << "a refusal takes time, too";
}

TEST_F(FootprintHelperTest, IsNotWaitedForTwice) {
    const auto helper = make(no_wait);
    const auto late = helper->ask(read_kind);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code(), ETIMEDOUT);
    EXPECT_NE(late.error().message().find("tmmd-footprints"), std::string::npos) << late.error().message();
    EXPECT_EQ(order()->number, 1U);
    EXPECT_EQ(helper->ask(FootprintOrder::Kind::open).error().code(), ETIMEDOUT);
    EXPECT_EQ(order(), std::nullopt) << "a helper that hangs gets no more orders";
    // The late reply counts as time, but not as the reply to another order.
    reply({1, std::chrono::milliseconds(10), 0, "", {{5, {}}}});
    reply({2, std::chrono::milliseconds(10), 0, "", {{6, {}}}});
    EXPECT_EQ(helper->ask(read_kind).value(), (FootprintMap{{6, {}}}));
    EXPECT_DOUBLE_EQ(helper->cpu_time().count(), 0.02);
}

TEST_F(FootprintHelperTest, TellsWhetherItHasReplied) {
    const auto helper = make(std::chrono::hours(1));
    ASSERT_TRUE(helper->begin(read_kind));
    EXPECT_FALSE(helper->is_over());
    EXPECT_EQ(order()->number, 1U);
    reply({1, {}, 0, "", {{5, {}}}});
    EXPECT_TRUE(helper->is_over());
    EXPECT_TRUE(helper->is_over()) << "it keeps the reply";
    EXPECT_EQ(helper->end().value(), (FootprintMap{{5, {}}}));
    ASSERT_TRUE(helper->begin(read_kind));
    EXPECT_FALSE(helper->is_over()) << "the reply belongs to the order before";
    socket_.reset();
    EXPECT_TRUE(helper->is_over());
    EXPECT_EQ(helper->end().error().code(), EPIPE);
}

TEST_F(FootprintHelperTest, IsOverWhenItsTimeIs) {
    const auto helper = make(no_wait);
    ASSERT_TRUE(helper->begin(read_kind));
    EXPECT_TRUE(helper->is_over());
    EXPECT_EQ(helper->end().error().code(), ETIMEDOUT);
}

TEST_F(FootprintHelperTest, MayTakeLongerIfNobodyIsBlocked) {
    const std::shared_ptr<FootprintHelper> helper = make(no_wait, std::chrono::hours(1));
    HelpedOpenFiles files(helper, FileKinds::open_and_mapped);
    EXPECT_FALSE(files.prepare({"a"})) << "a blocking order would be late";
    EXPECT_EQ(order()->number, 1U);
    reply({1, {}, 0, "", {{5, {}}}});
    EXPECT_TRUE(files.prepare({"a"}));
    EXPECT_EQ(files.read({"a"}).value().size(), 1U);
    EXPECT_EQ(files.read({"a"}).error().code(), ETIMEDOUT) << "who did not prepare is not blocked for so long";
}

TEST_F(FootprintHelperTest, FilesComeAtALaterTick) {
    const std::shared_ptr<FootprintHelper> helper = make(std::chrono::hours(1));
    HelpedOpenFiles files(helper, FileKinds::open_and_mapped);
    EXPECT_FALSE(files.prepare({"a"}));
    EXPECT_FALSE(files.prepare({"a"}));
    EXPECT_EQ(order(), (FootprintOrder{1, FootprintOrder::Kind::files, {"a"}}));
    EXPECT_EQ(order(), std::nullopt) << "one order is enough";
    const core::ReadFiles some{core::Pages(9), core::Pages(4)};
    reply({1, std::chrono::milliseconds(5), 0, "", {{5, {{}, {}, some}}}});
    EXPECT_TRUE(files.prepare({"a"}));
    EXPECT_EQ(files.read({"a"}).value(), (core::ReadFilesByCgroup{{5, some}}));
    EXPECT_DOUBLE_EQ(helper->cpu_time().count(), 0.005);
}

TEST_F(FootprintHelperTest, OtherFilesComeWithThem) {
    const std::shared_ptr<FootprintHelper> helper = make(std::chrono::hours(1));
    HelpedOpenFiles files(helper, FileKinds::unmapped);
    EXPECT_FALSE(files.prepare({"a"}));
    EXPECT_EQ(order(), (FootprintOrder{1, FootprintOrder::Kind::unmapped, {"a"}}));
    reply({1, {}, 0, "", {{5, {{core::Pages(0), core::Pages(30)}, {}, {core::Pages(9), core::Pages(4)}}}}});
    EXPECT_EQ(files.read({"a"}).value(), (core::ReadFilesByCgroup{{5, {core::Pages(9), core::Pages(4), core::Pages(30)}}}));
}

// Both ends, with the test as the helper.
TEST_F(FootprintHelperTest, FootprintsAreReadAfterTheClearingAndNobodyWaits) {
    const std::shared_ptr<FootprintHelper> helper = make(std::chrono::hours(1));
    reply({1, {}, 0, "", {}});
    auto footprints = HelpedFootprints::open(helper).value();
    ASSERT_EQ(order()->kind, FootprintOrder::Kind::open);
    ASSERT_TRUE(footprints.clear());
    EXPECT_EQ(order()->kind, FootprintOrder::Kind::clear);
    EXPECT_FALSE(footprints.prepare({"a"})) << "it still clears";
    EXPECT_EQ(order(), std::nullopt);
    reply({2, {}, 0, "", {}});
    EXPECT_FALSE(footprints.prepare({"a"})) << "now it reads";
    EXPECT_EQ(order(), (FootprintOrder{3, read_kind, {"a"}}));
    EXPECT_FALSE(footprints.prepare({"a"}));
    EXPECT_EQ(order(), std::nullopt) << "one order suffices";
    reply({3, {}, 0, "", {{5, {}}}});
    EXPECT_TRUE(footprints.prepare({"a"}));
    EXPECT_EQ(footprints.read({"a"}).value(), (FootprintMap{{5, {}}}));
}

TEST_F(FootprintHelperTest, AFailedClearingIsTheErrorOfTheNextRead) {
    const std::shared_ptr<FootprintHelper> helper = make(std::chrono::hours(1));
    reply({1, {}, 0, "", {}});
    auto footprints = HelpedFootprints::open(helper).value();
    ASSERT_TRUE(footprints.clear());
    reply({2, {}, EACCES, "clear_refs", {}});
    EXPECT_TRUE(footprints.prepare({})) << "there is nothing to wait for";
    EXPECT_EQ(footprints.read({}).error().code(), EACCES);
    reply({3, {}, 0, "", {{5, {}}}});
    EXPECT_TRUE(footprints.read({})) << "it is told once";
}

TEST_F(FootprintHelperTest, MayEndOrReplyWithNonsense) {
    const auto helper = make(no_wait);
    ASSERT_TRUE(socket_->send("nonsense\n"));
    EXPECT_EQ(helper->ask(read_kind).error().code(), EINVAL);
    reply({1, {}, 0, "", {}});
    EXPECT_EQ(helper->ask(read_kind).error().code(), EINVAL) << "the reply to another order";
    EXPECT_EQ(helper->ask(read_kind).error().code(), ETIMEDOUT);
    EXPECT_FALSE(helper->has_ended());
    socket_.reset();
    EXPECT_TRUE(helper->has_ended());
    for (int i = 0; i < 2; ++i) {
        const auto ended = helper->ask(read_kind);
        ASSERT_FALSE(ended);
        EXPECT_EQ(ended.error().code(), EPIPE);
        EXPECT_NE(ended.error().message().find("tmmd-footprints has ended; a restart of tmmd"), std::string::npos)
            << ended.error().message();
    }
}

// A worker, and a tree with one process beside the first.
class HelpedFootprintsTest : public testing::Test {
protected:
    HelpedFootprintsTest() {
        add("1", "/init.scope");
        helper_ = make_helper(socket_, {std::chrono::hours(1), std::chrono::hours(1)});
        worker_ = std::thread([this] { serve_footprints(*socket_, root_); });
    }
    ~HelpedFootprintsTest() override {
        helper_.reset();  // its end of the sockets, which ends the worker
        worker_.join();
    }
    void add(const std::string& pid, const std::string& cgroup) {
        const std::string kilobytes = std::to_string(page_bytes().count() / 1024) + " kB\n";
        tree_.file("proc/" + pid + "/cgroup", "0::" + cgroup + "\n")
            .file("proc/" + pid + "/smaps_rollup", "Rss: " + kilobytes + "Referenced: " + kilobytes + "Pss_Anon: " + kilobytes +
                                                       "Pss_File: 0 kB\nPss_Shmem: 0 kB\n")
            .file("proc/" + pid + "/clear_refs", "");
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    std::optional<MessageSocket> socket_;  // the helper's
    std::shared_ptr<FootprintHelper> helper_;
    std::thread worker_;
};

TEST_F(HelpedFootprintsTest, AreReadAndClearedByTheWorker) {
    add("20", "/transparent.slice");
    {
        auto footprints = HelpedFootprints::open(helper_);
        ASSERT_TRUE(footprints) << footprints.error().message();
        // The cgroups have no directories here, so they are unknown.
        EXPECT_EQ(footprints->read({"sys/fs/cgroup/transparent.slice"}).value().at(core::unknown_cgroup).referenced[0],
                  core::Pages(1));
        ASSERT_TRUE(footprints->clear());
        ASSERT_TRUE(footprints->read({})) << "it comes after the clearing";
        EXPECT_EQ(tree_.text("proc/1/clear_refs"), "1");
        EXPECT_EQ(tree_.text("proc/20/clear_refs"), "");
        EXPECT_GT(helper_->cpu_time().count(), 0);
    }
}

TEST_F(HelpedFootprintsTest, TellWhyTheyCannotBeRead) {
    std::filesystem::remove(tree_.path() / "proc/1/smaps_rollup");
    const auto footprints = HelpedFootprints::open(helper_);
    ASSERT_FALSE(footprints);
    EXPECT_EQ(footprints.error().code(), ENODEV);
    EXPECT_NE(footprints.error().message().find("CONFIG_PROC_PAGE_MONITOR"), std::string::npos);
    add("1", "/init.scope");
    EXPECT_TRUE(HelpedFootprints::open(helper_)) << "the helper lives on";
}

// The attacker's processes come first.
TEST(ServedFootprints, NobodysSlowProcessesKeepOthersFromBeingLookedAt) {
    TempTree tree;
    tree.dir("sys/fs/cgroup/mallory.slice").dir("sys/fs/cgroup/user.slice");
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root makes cgroups of several users";
    ASSERT_EQ(::chown((tree.path() / "sys/fs/cgroup/mallory.slice").c_str(), 1000, 1000), 0);
    ASSERT_EQ(::chown((tree.path() / "sys/fs/cgroup/user.slice").c_str(), 1001, 1001), 0);
    tree.file("proc/900/cgroup", "0::/user.slice\n");
    for (int pid = 10; pid < 110; ++pid)
        tree.file("proc/" + std::to_string(pid) + "/cgroup", "0::/mallory.slice\n");
    std::map<uid_t, int> looks;
    std::chrono::steady_clock::time_point now;
    std::optional<MessageSocket> socket;
    std::unique_ptr<FootprintHelper> helper = make_helper(socket, {std::chrono::hours(1), std::chrono::hours(1)});
    std::thread worker([&, root = tree.root()] {
        serve_footprints(
            *socket, root,
            [&](const OpaqueProcess& process) {
                ++looks[process.user];
                if (process.user == 1000)
                    now += std::chrono::milliseconds(200);  // within the look
                return true;
            },
            [&] { return now; });
    });
    EXPECT_TRUE(helper->ask(FootprintOrder::Kind::files));
    EXPECT_EQ(looks, (std::map<uid_t, int>{{1000, 25}, {1001, 1}}));
    EXPECT_TRUE(helper->ask(FootprintOrder::Kind::files));
    EXPECT_EQ(looks, (std::map<uid_t, int>{{1000, 50}, {1001, 2}})) << "each order has time of its own";
    helper.reset();  // its end of the sockets, which ends the worker
    worker.join();
}

}  // namespace
}  // namespace tmm::os
