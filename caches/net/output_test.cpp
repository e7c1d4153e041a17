// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/net/output.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string>

#include "base/unique_fd.hpp"

namespace tmm::caches {
namespace {

TEST(Output, SendsTextAndValuesInOrder) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
    const UniqueFd writer(ends[0]);
    const UniqueFd reader(ends[1]);
    Output output;
    std::string expected;
    for (int i = 0; i < 300; ++i) {
        const std::string text = "text " + std::to_string(i) + " ";
        const std::string value(static_cast<std::size_t>(i) * 37, static_cast<char>('a' + i % 26));
        output.text() += text;
        output.add(Buffer(value));
        expected += text + value;
    }
    EXPECT_EQ(output.bytes(), expected.size());
    std::string received;
    // The socket takes a part at a time.
    while (!output.empty() || received.size() < expected.size()) {
        ASSERT_GE(output.send_to(writer.get()), 0);
        EXPECT_LE(output.bytes(), expected.size() - received.size());
        std::array<char, 10007> bytes{};
        const ssize_t got = ::recv(reader.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        ASSERT_GT(got, 0);
        received.append(bytes.data(), static_cast<std::size_t>(got));
    }
    EXPECT_EQ(received, expected);
}

TEST(Output, FailsWithoutAReader) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    const UniqueFd writer(ends[0]);
    UniqueFd(ends[1]).reset();
    Output output;
    output.text() += "text";
    EXPECT_EQ(output.send_to(writer.get()), -EPIPE);
}

}  // namespace
}  // namespace tmm::caches
