// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/helped_footprints.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/temp_tree.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

// As pid of a helper that is none: kill(2) refuses it.
constexpr pid_t nobody = std::numeric_limits<pid_t>::max();

// tmmd's end, with the test at the other one.
class FootprintHelperTest : public testing::Test {
protected:
    std::unique_ptr<FootprintHelper> make(std::chrono::milliseconds wait) {
        auto [tmmds, helpers] = message_sockets().value();
        socket_ = std::move(helpers);
        return std::make_unique<FootprintHelper>(std::make_unique<HelperProcess>(std::move(tmmds), nobody), wait);
    }
    void reply(const FootprintReply& reply) { ASSERT_TRUE(send_message(socket_.get(), text_of(reply))); }
    // Returns the next order, if one has come.
    std::optional<FootprintOrder> order() {
        const auto message = receive_message(socket_.get(), no_wait);
        return message && *message ? std::optional(parse_footprint_order(**message).value()) : std::nullopt;
    }

    UniqueFd socket_;
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

TEST_F(FootprintHelperTest, MayEndOrReplyWithNonsense) {
    const auto helper = make(no_wait);
    ASSERT_TRUE(send_message(socket_.get(), "nonsense\n"));
    EXPECT_EQ(helper->ask(read_kind).error().code(), EINVAL);
    reply({1, {}, 0, "", {}});
    EXPECT_EQ(helper->ask(read_kind).error().code(), EINVAL) << "the reply to another order";
    EXPECT_EQ(helper->ask(read_kind).error().code(), ETIMEDOUT);
    socket_.reset();
    for (int i = 0; i < 2; ++i) {
        const auto ended = helper->ask(read_kind);
        ASSERT_FALSE(ended);
        EXPECT_EQ(ended.error().code(), EPIPE);
        EXPECT_NE(ended.error().message().find("has ended"), std::string::npos) << ended.error().message();
    }
}

// A worker, and a tree with one process beside the first.
class HelpedFootprintsTest : public testing::Test {
protected:
    HelpedFootprintsTest() {
        add("1", "/init.scope");
        auto [tmmds, helpers] = message_sockets().value();
        worker_ = std::thread([this, socket = std::move(helpers)] { serve_footprints(socket.get(), root_); });
        helper_ =
            std::make_shared<FootprintHelper>(std::make_unique<HelperProcess>(std::move(tmmds), nobody), std::chrono::hours(1));
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

}  // namespace
}  // namespace tmm::os
