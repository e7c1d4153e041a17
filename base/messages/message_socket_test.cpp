// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/messages/message_socket.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tmm {
namespace {

class MessageSocketTest : public testing::Test {
protected:
    // Returns the text of the next message, or the name of the error.
    std::string received() {
        const auto message = other_.receive(no_wait);
        if (!message)
            return ::strerrorname_np(message.error().code());
        return *message ? (*message)->text : "nothing";
    }

    std::pair<MessageSocket, MessageSocket> ends_ = MessageSocket::pair().value();
    MessageSocket one_ = std::move(ends_.first);
    MessageSocket other_ = std::move(ends_.second);
};

TEST_F(MessageSocketTest, MessagesAreKeptApartAndBounded) {
    EXPECT_EQ(received(), "nothing");
    const std::string longest(max_message_bytes, 'x');
    ASSERT_TRUE(one_.send(longest));
    ASSERT_TRUE(one_.send("second"));
    EXPECT_EQ(received(), longest);
    EXPECT_EQ(received(), "second");
    const std::string too_long(max_message_bytes + 1, 'x');
    EXPECT_EQ(one_.send(too_long).error().code(), EMSGSIZE);
    EXPECT_EQ(one_.send("").error().code(), EMSGSIZE);
    ASSERT_EQ(::write(one_.fd(), too_long.data(), too_long.size()), static_cast<ssize_t>(too_long.size()));
    ASSERT_TRUE(one_.send("third"));
    EXPECT_EQ(received(), "EMSGSIZE");
    EXPECT_EQ(received(), "third") << "the long one is lost as a whole";
}

TEST_F(MessageSocketTest, AnEndThatWasClosedIsNoticed) {
    ASSERT_TRUE(one_.send("last"));
    EXPECT_FALSE(other_.is_closed());
    static_cast<void>(MessageSocket(std::move(one_)));
    EXPECT_TRUE(other_.is_closed());
    EXPECT_EQ(received(), "last");
    EXPECT_EQ(received(), "EPIPE");
    EXPECT_EQ(other_.send("too late").error().code(), EPIPE);
}

TEST_F(MessageSocketTest, AnEndThatDoesNotReadIsNotWaitedFor) {
    const std::string text(max_message_bytes, 'x');
    auto sent = one_.send(text);
    for (int i = 0; i < 100 && sent; ++i)
        sent = one_.send(text);
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().code(), EAGAIN);
}

TEST_F(MessageSocketTest, FilesArePassedInTheirOrder) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
    std::array<UniqueFd, 2> own{UniqueFd(pipe[0]), UniqueFd(pipe[1])};
    ASSERT_TRUE(one_.send("a pipe", pipe));
    const auto message = other_.receive(no_wait, max_message_files).value();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->text, "a pipe");
    ASSERT_EQ(message->files.size(), 2U);
    EXPECT_NE(::fcntl(message->files[0].get(), F_GETFD) & FD_CLOEXEC, 0);
    own[1].reset();
    ASSERT_EQ(::write(message->files[1].get(), "x", 1), 1);
    char got = 0;
    EXPECT_EQ(::read(own[0].get(), &got, 1), 1);
    EXPECT_EQ(got, 'x');
}

TEST_F(MessageSocketTest, FilesBeyondTheBoundAreLostWithTheirMessage) {
    const UniqueFd lowest_free(::dup(one_.fd()));
    const std::vector<int> files(max_message_files + 1, one_.fd());
    EXPECT_EQ(one_.send("many", files).error().code(), EMSGSIZE);
    for (const std::size_t max_files : {std::size_t{0}, std::size_t{1}}) {
        ASSERT_TRUE(one_.send("two", std::span(files).first(2)));
        ASSERT_TRUE(one_.send("none"));
        EXPECT_EQ(other_.receive(no_wait, max_files).error().code(), EMSGSIZE);
        EXPECT_EQ(received(), "none");
    }
    const UniqueFd next_free(::dup(one_.fd()));
    EXPECT_EQ(next_free.get(), lowest_free.get() + 1) << "none stays open";
}

// send() refuses it.
TEST_F(MessageSocketTest, FilesWithoutATextAreClosed) {
    const UniqueFd lowest_free(::dup(one_.fd()));
    union {
        cmsghdr header;
        std::array<char, CMSG_SPACE(sizeof(int))> bytes;
    } control{};
    msghdr message{};
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    const int file = one_.fd();
    std::memcpy(CMSG_DATA(&control.header), &file, sizeof file);
    ASSERT_EQ(::sendmsg(one_.fd(), &message, 0), 0);
    EXPECT_EQ(other_.receive(no_wait, 1).error().code(), EPIPE);
    const UniqueFd next_free(::dup(one_.fd()));
    EXPECT_EQ(next_free.get(), lowest_free.get() + 1);
}

}  // namespace
}  // namespace tmm
