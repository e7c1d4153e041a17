// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/helper/helper_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace tmm::os {
namespace {

TEST(Messages, AreKeptApartAndBounded) {
    auto [one, other] = message_sockets().value();
    EXPECT_EQ(receive_message(other.get(), no_wait).value(), std::nullopt);
    const std::string longest(max_message_bytes, 'x');
    ASSERT_TRUE(send_message(one.get(), longest));
    ASSERT_TRUE(send_message(one.get(), "second"));
    EXPECT_EQ(receive_message(other.get(), no_end).value(), longest);
    EXPECT_EQ(receive_message(other.get(), no_end).value(), "second");
    const std::string too_long(max_message_bytes + 1, 'x');
    EXPECT_EQ(send_message(one.get(), too_long).error().code(), EMSGSIZE);
    ASSERT_EQ(::write(one.get(), too_long.data(), too_long.size()), static_cast<ssize_t>(too_long.size()));
    EXPECT_EQ(receive_message(other.get(), no_end).error().code(), EMSGSIZE);
}

TEST(Messages, TellOfAnEndThatWasClosed) {
    auto [one, other] = message_sockets().value();
    ASSERT_TRUE(send_message(one.get(), "last"));
    EXPECT_FALSE(is_closed(other.get()));
    one.reset();
    EXPECT_TRUE(is_closed(other.get()));
    EXPECT_EQ(receive_message(other.get(), no_end).value(), "last");
    EXPECT_EQ(receive_message(other.get(), no_end).error().code(), EPIPE);
    EXPECT_EQ(send_message(other.get(), "too late").error().code(), EPIPE);
}

TEST(Messages, WaitForNobodyWhoDoesNotRead) {
    auto [one, other] = message_sockets().value();
    const std::string text(max_message_bytes, 'x');
    auto sent = send_message(one.get(), text);
    for (int i = 0; i < 100 && sent; ++i)
        sent = send_message(one.get(), text);
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().code(), EAGAIN);
}

// Tells its capabilities and open files at each message.
void tell(int socket, const RootDir& /*root*/) {
    for (;;) {
        const auto message = receive_message(socket, no_end);
        if (!message || !*message)
            return;
        const int after_root = socket + 2;
        const bool has_others = ::fcntl(after_root, F_GETFD) >= 0;
        if (!send_message(socket, std::to_string(own_capabilities().value()) + (has_others ? " and files" : "")))
            return;
    }
}

constexpr Capabilities helpers = capability(CAP_SYS_PTRACE) | capability(CAP_DAC_OVERRIDE);

// The exit status of a process that starts a helper and then gives up what the helper has.
int start_helper() {
    const Capabilities before = own_capabilities().value();
    const auto helper = HelperProcess::start(RootDir::open("/").value(), {"tmmd-test", helpers, tell});
    if (!helper)
        return 1;
    if (own_capabilities().value() != before)
        return 2;
    if (!keep_capabilities(~helpers) || own_capabilities().value() != (before & ~helpers))
        return 3;
    if (!send_message((*helper)->socket(), "tell"))
        return 4;
    const auto told = receive_message((*helper)->socket(), no_end);
    if (!told || *told != std::to_string(helpers))
        return 5;
    // They do not come back, so neither does another helper.
    const auto second = HelperProcess::start(RootDir::open("/").value(), {"tmmd-test", helpers, tell});
    return !second && second.error().code() == EPERM ? 0 : 6;
}

TEST(HelperProcess, AloneHasItsCapabilities) {
    if ((own_capabilities().value() & helpers) != helpers)
        GTEST_SKIP() << "without CAP_SYS_PTRACE and CAP_DAC_OVERRIDE there is no helper";
    // A process of its own, since it loses capabilities.
    const pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(start_helper());
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(HelperProcess, EndsWithItsOwner) {
    auto helper = HelperProcess::start(RootDir::open("/").value(), {"tmmd-test", 0, tell}).value();
    const pid_t pid = helper->pid();
    helper.reset();
    int status = 0;
    const pid_t ended = ::waitpid(pid, &status, 0);
    // The destructor has seen the end already, unless the helper took its time.
    EXPECT_TRUE((ended == pid && WIFSIGNALED(status)) || (ended < 0 && errno == ECHILD));
}

}  // namespace
}  // namespace tmm::os
