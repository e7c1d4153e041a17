// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/soft/soft_server.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include "base/temp_tree.hpp"
#include "softlib/coordinate/records.hpp"

namespace tmm::soft {
namespace {

namespace wire = ::soft::coordinate;

class SoftServerTest : public testing::Test {
protected:
    [[nodiscard]] UniqueFd connect() const {
        UniqueFd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strcpy(address.sun_path, (tree_.path() / "run/tmm/soft").c_str());
        EXPECT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        return socket;
    }
    static void hello(const UniqueFd& socket, const char* name) {
        wire::hello record{{wire::version, static_cast<std::uint32_t>(wire::kind::hello)}, {}};
        std::strcpy(record.name, name);
        EXPECT_EQ(::send(socket.get(), &record, sizeof record, MSG_NOSIGNAL), static_cast<ssize_t>(sizeof record));
    }
    static void report(const UniqueFd& socket, std::uint64_t number, std::uint64_t used) {
        wire::report record{};
        record.header = {wire::version, static_cast<std::uint32_t>(wire::kind::report)};
        record.number = number;
        record.used_bytes = used;
        EXPECT_EQ(::send(socket.get(), &record, sizeof record, MSG_NOSIGNAL), static_cast<ssize_t>(sizeof record));
    }
    static wire::grant grant(const UniqueFd& socket) {
        wire::grant record{};
        EXPECT_EQ(::recv(socket.get(), &record, sizeof record, 0), static_cast<ssize_t>(sizeof record));
        return record;
    }
    static bool is_closed(const UniqueFd& socket) {
        char byte = 0;
        return ::recv(socket.get(), &byte, 1, 0) == 0;
    }

    TempTree tree_;
    RootDir root_ = tree_.dir("run").root();
    SoftServer server_ = SoftServer::open(root_).value();
    core::AwakeTime now_{std::chrono::seconds(100)};
};

TEST_F(SoftServerTest, TakesReportsAndSendsGrants) {
    const UniqueFd program = connect();
    hello(program, "thumbnails");
    server_.serve(now_);
    EXPECT_TRUE(server_.heaps(now_).empty()) << "it has not reported";
    report(program, 1, 5);
    report(program, 2, 6);
    server_.serve(now_);
    const auto heaps = server_.heaps(now_);
    ASSERT_EQ(heaps.size(), 1U);
    EXPECT_EQ(heaps[0].used, Bytes(6)) << "the latest";
    EXPECT_EQ(heaps[0].user, ::geteuid());
    server_.grant({{heaps[0].id, Bytes(77)}, {999, Bytes(1)}}, false);
    const wire::grant granted = grant(program);
    EXPECT_EQ(granted.number, 2U);
    EXPECT_EQ(granted.bytes, 77U);
    EXPECT_EQ(granted.urgent, 0U);
    const auto peers = server_.peers();
    ASSERT_EQ(peers.size(), 1U);
    EXPECT_EQ(peers[0].name, "thumbnails");
    EXPECT_EQ(peers[0].process, ::getpid());
    EXPECT_EQ(peers[0].granted, Bytes(77));
}

TEST_F(SoftServerTest, TellsForHowLongAHeapIsKnown) {
    const UniqueFd program = connect();
    report(program, 1, 5);
    server_.serve(now_);
    EXPECT_EQ(server_.heaps(now_)[0].known_s, 0);
    now_ += std::chrono::seconds(5);
    report(program, 2, 5);
    server_.serve(now_);
    EXPECT_EQ(server_.heaps(now_)[0].known_s, 5);
}

TEST_F(SoftServerTest, ASilentOrLostHeapHasNothing) {
    UniqueFd program = connect();
    report(program, 1, 5);
    server_.serve(now_);
    now_ += SoftServer::silence;
    EXPECT_TRUE(server_.heaps(now_).empty());
    report(program, 2, 5);
    server_.serve(now_);
    EXPECT_EQ(server_.heaps(now_).size(), 1U) << "it goes on";
    program.reset();
    server_.serve(now_);
    EXPECT_TRUE(server_.peers().empty());
}

TEST_F(SoftServerTest, NonsenseEndsTheConnection) {
    const UniqueFd liar = connect();
    const UniqueFd program = connect();
    report(program, 1, 5);
    ASSERT_EQ(::send(liar.get(), "nonsense", 8, MSG_NOSIGNAL), 8);
    server_.serve(now_);
    EXPECT_TRUE(is_closed(liar));
    EXPECT_EQ(server_.heaps(now_).size(), 1U);
}

TEST_F(SoftServerTest, EachUserHasABound) {
    std::vector<UniqueFd> programs;
    for (std::size_t i = 0; i < SoftServer::max_per_user; ++i) {
        programs.push_back(connect());
        report(programs.back(), 1, 5);
    }
    const UniqueFd one_more = connect();
    server_.serve(now_);
    EXPECT_TRUE(is_closed(one_more));
    EXPECT_EQ(server_.heaps(now_).size(), SoftServer::max_per_user);
    programs.pop_back();
    server_.serve(now_);
    const UniqueFd next = connect();
    report(next, 1, 5);
    server_.serve(now_);
    EXPECT_EQ(server_.heaps(now_).size(), SoftServer::max_per_user);
}

TEST_F(SoftServerTest, CountsAProgramForTheUserWhoHasItsNumber) {
    std::optional<uid_t> user = 7;
    SoftServer::Processes processes;
    processes.user_of = [&](pid_t process, uid_t number) {
        EXPECT_EQ(process, ::getpid());
        EXPECT_EQ(number, ::geteuid());
        return user;
    };
    server_ = SoftServer::open(root_, SoftServer::default_path, processes).value();
    const UniqueFd known = connect();
    report(known, 1, 5);
    server_.serve(now_);
    ASSERT_EQ(server_.heaps(now_).size(), 1U);
    EXPECT_EQ(server_.heaps(now_)[0].user, 7U);
    user.reset();
    const UniqueFd unknown = connect();
    server_.serve(now_);
    EXPECT_TRUE(is_closed(unknown));
}

TEST_F(SoftServerTest, HeapsUseNoMoreThanTheirProcessHas) {
    SoftServer::Processes processes;
    processes.memory_of = [](pid_t process) { return Bytes(process == ::getpid() ? 100 : 0); };
    server_ = SoftServer::open(root_, SoftServer::default_path, processes).value();
    const UniqueFd first = connect();
    report(first, 1, 70);
    const UniqueFd second = connect();
    report(second, 1, std::uint64_t{1} << 50);
    server_.serve(now_);
    const auto heaps = server_.heaps(now_);
    ASSERT_EQ(heaps.size(), 2U);
    EXPECT_EQ(heaps[0].used, Bytes(70));
    EXPECT_EQ(heaps[1].used, Bytes(30));
}

TEST_F(SoftServerTest, AFloodIsRefusedAtOnce) {
    std::vector<UniqueFd> flood;
    for (int i = 0; i < 600; ++i)
        flood.push_back(connect());
    server_.serve(now_);
    EXPECT_TRUE(is_closed(flood.back()));
    EXPECT_EQ(std::ranges::count_if(flood, is_closed), 600 - static_cast<std::ptrdiff_t>(SoftServer::max_per_user));
}

TEST_F(SoftServerTest, WhoDoesNotReadMissesGrantsAndDelaysNobody) {
    const UniqueFd slow = connect();
    report(slow, 1, 5);
    server_.serve(now_);
    const std::uint64_t id = server_.heaps(now_)[0].id;
    for (int i = 0; i < 10000; ++i)
        server_.grant({{id, Bytes(1)}}, false);
    EXPECT_EQ(server_.peers().size(), 1U);
}

TEST_F(SoftServerTest, TakesAFewRecordsOfAFloodAtATime) {
    const UniqueFd flood = connect();
    for (std::uint64_t i = 1; i <= 8; ++i)
        report(flood, i, i);
    server_.serve(now_);
    EXPECT_EQ(server_.heaps(now_)[0].used, Bytes(4));
    server_.serve(now_);
    EXPECT_EQ(server_.heaps(now_)[0].used, Bytes(8));
}

TEST_F(SoftServerTest, AnotherRunTakesThePlaceOfAKilledOne) {
    const UniqueFd old = connect();
    server_ = SoftServer::open(root_).value();
    const UniqueFd program = connect();
    report(program, 1, 5);
    server_.serve(now_);
    EXPECT_EQ(server_.heaps(now_).size(), 1U);
}

}  // namespace
}  // namespace tmm::soft
