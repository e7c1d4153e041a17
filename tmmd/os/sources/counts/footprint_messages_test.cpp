// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/footprint_messages.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/messages/message_socket.hpp"

namespace tmm::os {
namespace {

using core::Pages;

constexpr core::Footprint some{{Pages(10), Pages(20)}, {Pages(3), Pages(20)}, {Pages(7), Pages(6)}};

FootprintOrder written_and_read(const FootprintOrder& order) {
    return parse_footprint_order(text_of(order)).value();
}

FootprintReply written_and_read(const FootprintReply& reply) {
    return parse_footprint_reply(text_of(reply)).value();
}

TEST(FootprintMessages, AreReadAsTheyWereWritten) {
    for (const auto kind : {FootprintOrder::Kind::open, FootprintOrder::Kind::read, FootprintOrder::Kind::clear,
                            FootprintOrder::Kind::files, FootprintOrder::Kind::unmapped})
        EXPECT_EQ(written_and_read(FootprintOrder{7, kind, {}}), (FootprintOrder{7, kind, {}}));
    const FootprintOrder order{UINT64_MAX, FootprintOrder::Kind::read, {"sys/fs/cgroup/a b", "sys/fs/cgroup/transparent.slice"}};
    EXPECT_EQ(written_and_read(order), order);
    for (const auto kind : {FootprintOrder::Kind::files, FootprintOrder::Kind::unmapped}) {
        const FootprintOrder files{3, kind, {"sys/fs/cgroup/transparent.slice"}};
        EXPECT_EQ(written_and_read(files), files);
    }
    const FootprintReply reply{8, std::chrono::nanoseconds(1234), 0, "", {{0, some}, {UINT64_MAX, {}}}};
    EXPECT_EQ(written_and_read(reply), reply);
    const FootprintReply problem{9, std::chrono::nanoseconds(0), EACCES, "proc/1/smaps_rollup: it needs CAP_SYS_PTRACE", {}};
    EXPECT_EQ(written_and_read(problem), problem);
}

TEST(FootprintMessages, RefuseAnyOtherOrder) {
    const std::string too_large = "99999999999999999999 read\n";
    for (const std::string text : {"", "\n", "7", "7\n", "7 read", "x read\n", "-1 read\n", "7 write\n", "7 read now\n",
                                   "7 open\n/a\n", "7 clear\n/a\n", "7 read\n/a", "7 read\n\n"})
        EXPECT_FALSE(parse_footprint_order(text)) << text;
    EXPECT_EQ(parse_footprint_order(too_large).error().code(), ERANGE);
}

TEST(FootprintMessages, RefuseAnyOtherReply) {
    for (const std::string text :
         {"", "\n", "7", "7 1 0", "7 1\n", "x 1 0\n", "7 x 0\n", "7 1 x\n", "7 1 0\n5 1 1 1 1 1 1", "7 1 0\n5 1 1 1 1 1\n",
          "7 1 0\n5 1 1 1 1 1 1 1\n", "7 1 0\n5 1 1 1 1 1 x\n", "7 1 0\n5 1 2 1 1 1 1\n", "7 1 0\n5 1 1 1 2 1 1\n",
          "7 1 0\n5 1 1 1 1 1 2\n", "7 1 0\n\n", "7 1 0\n6 1 1 1 1 1 1\n5 1 1 1 1 1 1\n", "7 1 0\n5 1 1 1 1 1 1\n5 1 1 1 1 1 1\n",
          "7 1 13 problem\n5 1 1 1 1 1 1\n"})
        EXPECT_FALSE(parse_footprint_reply(text)) << text;
    for (const std::string text : {"99999999999999999999 1 0\n", "7 18446744073709551615 0\n", "7 1 4294967296\n",
                                   "7 1 0\n5 99999999999999999999 1 1 1 1 1\n"})
        EXPECT_EQ(parse_footprint_reply(text).error().code(), ERANGE) << text;
}

// A user with many long names displaces nobody else's.
TEST(FootprintMessages, AnOrderLeavesOutTheLongestPaths) {
    FootprintOrder order{1, FootprintOrder::Kind::read, {}};
    for (int i = 0; i < 64; ++i)
        order.transparent_cgroups.push_back("sys/fs/cgroup/a" + std::to_string(i) + std::string(4000, 'x'));
    order.transparent_cgroups.emplace_back("sys/fs/cgroup/transparent.slice");
    EXPECT_LE(text_of(order).size(), max_message_bytes);
    const std::vector<std::string> read = written_and_read(order).transparent_cgroups;
    EXPECT_EQ(read.front(), "sys/fs/cgroup/transparent.slice");
    EXPECT_EQ(read.size(), 1 + (max_message_bytes - 40) / 4020);
}

}  // namespace
}  // namespace tmm::os
