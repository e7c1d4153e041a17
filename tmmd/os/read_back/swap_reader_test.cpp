// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/read_back/swap_reader.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "base/temp_tree.hpp"
#include "tmmd/os/helper/fake_helper.hpp"
#include "tmmd/os/read_back/page_adviser.hpp"

namespace tmm::os {
namespace {

TEST(SwapReaderMessages, AreReadAsTheyWereWritten) {
    const ReadBackOrder order{7, {{"sys/fs/cgroup/a b", core::Pages(5)}, {"sys/fs/cgroup/c", core::Pages(6)}}};
    EXPECT_EQ(parse_order(text_of(order)).value(), order);
    EXPECT_EQ(parse_order(text_of(ReadBackOrder{8, {}})).value(), (ReadBackOrder{8, {}}));
    const ReadBackReport report{7, core::Pages(11), "process_madvise: Operation not permitted"};
    EXPECT_EQ(parse_report(text_of(report)).value(), report);
    EXPECT_EQ(parse_report("1 2 ").value(), (ReadBackReport{1, core::Pages(2), ""}));
    for (const char* text : {"", "x\n", "1\nx /a\n", "99999999999999999999\n"})
        EXPECT_FALSE(parse_order(text)) << text;
    for (const char* text : {"", "x", "1", "1 x"})
        EXPECT_FALSE(parse_report(text)) << text;
}

class NoAdviser final : public PageAdviser {
public:
    Result<UniqueFd> open(pid_t /*pid*/) override { return Error(ESRCH, "gone"); }
    Result<void> will_need(const UniqueFd& /*process*/, std::span<const AddressRange> /*ranges*/) override { return {}; }
};

TEST(ServeOrders, ReportsTheEndOfAnOrderUntilTheSocketCloses) {
    TempTree tree;
    tree.file("proc/zoneinfo", "Node 0, zone Normal\n  pages free 90000\n high 100\n managed 128000\n")
        .file("proc/diskstats", "");
    tree.file("sys/fs/cgroup/a/memory.pressure", "some avg10=0 avg60=0 avg300=0 total=0\n");
    tree.file("sys/fs/cgroup/a/cgroup.procs", "");
    const RootDir root = tree.root();
    auto [own, other] = message_sockets().value();
    NoAdviser adviser;
    std::thread helper([&, socket = other.get()] { serve_orders(socket, root, adviser); });
    ASSERT_TRUE(send_message(own.get(), text_of(ReadBackOrder{3, {{"sys/fs/cgroup/a", core::Pages(5)}}})));
    const auto report = receive_message(own.get(), no_end);
    ASSERT_TRUE(report && *report);
    EXPECT_EQ(parse_report(**report).value(), (ReadBackReport{3, core::Pages(0), ""}));
    own.reset();
    helper.join();
}

TEST(HelpedSwapReader, IsReplacedByTheNextOrder) {
    FakeHelpers helpers;
    HelpedSwapReader reader(helpers.begin("tmmd-read-back"));
    const std::vector<core::ReadBackShare> shares{{"sys/fs/cgroup/a", core::Pages(5)}};
    ASSERT_TRUE(reader.begin(shares));
    EXPECT_FALSE(reader.take_report());
    helpers.sockets[0].reset();
    const auto report = reader.take_report();
    ASSERT_TRUE(report);
    EXPECT_EQ(report->read, core::Pages(0));
    EXPECT_NE(report->problem.find("tmmd-read-back has ended"), std::string::npos) << report->problem;
    EXPECT_FALSE(reader.take_report()) << "said once";
    reader.stop();
    EXPECT_EQ(helpers.sockets.size(), 1U) << "there is nothing to stop";
    ASSERT_TRUE(reader.begin(shares));
    ASSERT_EQ(helpers.sockets.size(), 2U);
    const auto message = receive_message(helpers.sockets[1].get(), no_wait).value();
    ASSERT_TRUE(message);
    const ReadBackOrder order = parse_order(*message).value();
    EXPECT_EQ(order.shares, shares);
    ASSERT_TRUE(send_message(helpers.sockets[1].get(), text_of(ReadBackReport{order.number, core::Pages(5), ""})));
    EXPECT_EQ(reader.take_report()->read, core::Pages(5));
}

}  // namespace
}  // namespace tmm::os
