// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/session.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "boinc-adapter/rpc/requests.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::seconds;

constexpr const char* done = "<boinc_gui_rpc_reply>\n<success/>\n</boinc_gui_rpc_reply>\n\003";
constexpr const char* nonce = "<boinc_gui_rpc_reply>\n<nonce>12.5</nonce>\n</boinc_gui_rpc_reply>\n\003";
constexpr const char* authorized = "<boinc_gui_rpc_reply>\n<authorized/>\n</boinc_gui_rpc_reply>\n\003";
constexpr const char* unauthorized = "<boinc_gui_rpc_reply>\n<unauthorized/>\n</boinc_gui_rpc_reply>\n\003";

std::string take_outgoing(Session& session) {
    std::string text(session.outgoing());
    session.sent(text.size());
    return text;
}

Session open_session(seconds now = seconds(0)) {
    Session session;
    session.begin(now);
    session.connected(now);
    return session;
}

TEST(Requests, EndWithTheByteThreeAndEscapeNames) {
    EXPECT_EQ(request::suspend({"http://a/?x&y", "<n>\003"}),
              "<boinc_gui_rpc_request>\n<suspend_result>\n<project_url>http://a/?x&amp;y</project_url>\n<name>&lt;n&gt;</name>\n"
              "</suspend_result>\n</boinc_gui_rpc_request>\n\003");
}

TEST(Requests, AuthenticateByTheHashOfNonceAndPassword) {
    // printf 12.5secret | md5sum
    EXPECT_NE(request::authenticate("12.5", "secret").find("<nonce_hash>b279c63efd609bd4b956d0b958f746a8</nonce_hash>"),
              std::string::npos)
        << request::authenticate("12.5", "secret");
}

TEST(Session, AuthenticatesBeforeItsFirstRequest) {
    Session session;
    session.set_password("secret");
    EXPECT_TRUE(session.wants_connection(seconds(0)));
    session.begin(seconds(0));
    EXPECT_FALSE(session.wants_connection(seconds(100)));
    EXPECT_EQ(session.outgoing(), "");
    session.connected(seconds(0));
    EXPECT_EQ(take_outgoing(session), request::authenticate());
    EXPECT_EQ(session.ask(1, request::mode(), seconds(0)).error().code(), EAGAIN);
    ASSERT_TRUE(session.received(nonce, seconds(0)));
    EXPECT_EQ(take_outgoing(session), request::authenticate("12.5", "secret"));
    ASSERT_TRUE(session.received(authorized, seconds(0)));
    EXPECT_TRUE(session.is_open());
    EXPECT_EQ(session.access(), Session::Access::full);
}

TEST(Session, WithAWrongPasswordItOnlyReads) {
    Session session;
    session.set_password("wrong");
    session.begin(seconds(0));
    session.connected(seconds(0));
    ASSERT_TRUE(session.received(nonce, seconds(0)));
    ASSERT_TRUE(session.received(unauthorized, seconds(0)));
    EXPECT_TRUE(session.is_open());
    EXPECT_EQ(session.access(), Session::Access::read_only);
    // The client hangs up then. The next time it hears no password until there is another one.
    session.lost(seconds(0));
    session.set_password("wrong");
    session.begin(seconds(1));
    session.connected(seconds(1));
    EXPECT_EQ(session.outgoing(), "");
    EXPECT_EQ(session.access(), Session::Access::read_only);
    session.lost(seconds(1));
    session.set_password("another");
    session.begin(seconds(3));
    session.connected(seconds(3));
    EXPECT_EQ(session.outgoing(), request::authenticate());
}

TEST(Session, WithoutAPasswordItDoesNotAuthenticate) {
    Session session = open_session();
    EXPECT_EQ(session.outgoing(), "");
    EXPECT_EQ(session.access(), Session::Access::full);
    session.refused();
    EXPECT_EQ(session.access(), Session::Access::read_only);
}

TEST(Session, WithAPasswordThatNobodyMayReadItOnlyReads) {
    Session session;
    session.set_password(std::nullopt);
    session.begin(seconds(0));
    session.connected(seconds(0));
    EXPECT_EQ(session.outgoing(), "");
    EXPECT_EQ(session.access(), Session::Access::read_only);
    session.lost(seconds(0));
    session.set_password("");
    session.begin(seconds(1));
    session.connected(seconds(1));
    EXPECT_EQ(session.access(), Session::Access::full);
}

TEST(Session, SendsARequestOnlyAfterTheReplyToTheLast) {
    Session session = open_session();
    ASSERT_TRUE(session.ask(1, "one\003", seconds(0)));
    ASSERT_TRUE(session.ask(2, "two\003", seconds(0)));
    EXPECT_EQ(take_outgoing(session), "one\003");
    ASSERT_TRUE(session.received(std::string(done).substr(0, 20), seconds(0)));
    EXPECT_FALSE(session.next_answer());
    EXPECT_EQ(session.outgoing(), "");
    ASSERT_TRUE(session.received(std::string(done).substr(20), seconds(0)));
    EXPECT_EQ(session.next_answer()->request, 1);
    EXPECT_EQ(take_outgoing(session), "two\003");
}

TEST(Session, RefusesRepliesThatNobodyAskedForAndThoseTooLong) {
    Session session = open_session();
    EXPECT_EQ(session.received(done, seconds(0)).error().code(), EPROTO);
    Session flooded = open_session();
    ASSERT_TRUE(flooded.ask(1, "one\003", seconds(0)));
    Result<void> fed;
    for (std::size_t bytes = 0; fed && bytes <= 2 * FrameReader::max_frame_bytes; bytes += 1 << 20)
        fed = flooded.received(std::string(1 << 20, 'x'), seconds(0));
    EXPECT_EQ(fed.error().code(), EFBIG);
}

TEST(Session, GivesUpOnAClientThatNeverAnswersAlsoIfBytesTrickleIn) {
    Session session = open_session();
    EXPECT_FALSE(session.expired(seconds(1000)));  // nothing is asked
    ASSERT_TRUE(session.ask(1, "one\003", seconds(1000)));
    for (int t = 1000; t <= 1040; t += 4)
        ASSERT_TRUE(session.received("<", seconds(t)));
    EXPECT_FALSE(session.expired(seconds(1040)));
    EXPECT_TRUE(session.expired(seconds(1041)));
    // The kernel had frozen the client.
    session.excuse(seconds(1041));
    EXPECT_FALSE(session.expired(seconds(1081)));
    EXPECT_TRUE(session.expired(seconds(1082)));
    session.lost(seconds(1041));
    EXPECT_EQ(session.next_answer()->reply.error().code(), ECONNRESET);
    EXPECT_EQ(session.ask(2, "two\003", seconds(1041)).error().code(), EAGAIN);
}

TEST(Session, AConnectionThatIsNeverMadeExpires) {
    Session session;
    session.begin(seconds(0));
    EXPECT_TRUE(session.expired(seconds(41)));
}

TEST(Session, BacksOffFromOneToThirtySecondsUntilATurnIsComplete) {
    Session session;
    seconds now(0);
    for (const int wait : {1, 2, 4, 8, 16, 30, 30}) {
        session.begin(now);
        session.lost(now);
        EXPECT_FALSE(session.wants_connection(now + seconds(wait) - std::chrono::nanoseconds(1)));
        now += seconds(wait);
        EXPECT_TRUE(session.wants_connection(now));
    }
    session.begin(now);
    session.connected(now);
    // A client that accepts and then hangs up is no better than none.
    session.lost(now);
    EXPECT_FALSE(session.wants_connection(now + seconds(29)));
    now += seconds(30);
    session.begin(now);
    session.connected(now);
    ASSERT_TRUE(session.ask(1, "one\003", now));
    ASSERT_TRUE(session.received(done, now));
    // The next answer may be one that it cannot take, each time anew.
    session.lost(now);
    EXPECT_FALSE(session.wants_connection(now + seconds(29)));
    now += seconds(30);
    session.begin(now);
    session.connected(now);
    session.completed_turn();
    session.lost(now);
    EXPECT_TRUE(session.wants_connection(now + seconds(1)));
}

TEST(Session, StartsAfreshAfterAReplyCutOff) {
    Session session = open_session();
    ASSERT_TRUE(session.ask(1, "one\003", seconds(0)));
    ASSERT_TRUE(session.received("<boinc_gui", seconds(0)));
    session.lost(seconds(0));
    EXPECT_FALSE(session.next_answer()->reply.has_value());
    session.begin(seconds(1));
    session.connected(seconds(1));
    ASSERT_TRUE(session.ask(2, "two\003", seconds(1)));
    EXPECT_EQ(take_outgoing(session), "two\003");
    ASSERT_TRUE(session.received(done, seconds(1)));
    const auto answer = session.next_answer();
    EXPECT_EQ(answer->reply.value() + "\003", done);
}

TEST(Session, BoundsTheRequestsThatWait) {
    Session session = open_session();
    for (std::size_t i = 0; i < Session::max_requests; ++i)
        ASSERT_TRUE(session.ask(1, "x\003", seconds(0)));
    EXPECT_EQ(session.ask(1, "x\003", seconds(0)).error().code(), EAGAIN);
}

TEST(Session, TakesBackOnlyWhatTheClientHasNotGot) {
    Session session;
    EXPECT_EQ(session.withdraw(), 0U);
    session.begin(seconds(0));
    session.connected(seconds(0));
    for (int id = 1; id <= 3; ++id)
        ASSERT_TRUE(session.ask(id, "request " + std::to_string(id), seconds(0)));
    EXPECT_EQ(session.withdraw(), 2U);
    EXPECT_EQ(session.outgoing(), "request 1");
    session.sent(session.outgoing().size());
    ASSERT_TRUE(session.ask(4, "request 4", seconds(0)));
    ASSERT_TRUE(session.received("first\003", seconds(1)));
    EXPECT_EQ(session.outgoing(), "request 4");
    EXPECT_EQ(session.next_answer()->request, 1);
    ASSERT_TRUE(session.received("second\003", seconds(1)));
    EXPECT_EQ(session.next_answer()->request, 4);
}

}  // namespace
}  // namespace tmm::boinc
