// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/helper/helper_starter.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <string>
#include <utility>

#include "tmmd/os/helper/capabilities.hpp"

namespace tmm::os {
namespace {

constexpr Capabilities nice = capability(CAP_SYS_NICE);
constexpr std::chrono::minutes long_enough{1};

// Replies to each message with its own process id and capabilities.
void tell_process(int socket, const RootDir& /*root*/) {
    for (;;) {
        const auto message = receive_message(socket, no_end);
        if (!message || !*message ||
            !send_message(socket, std::to_string(::getpid()) + " " + std::to_string(own_capabilities().value())))
            return;
    }
}

std::string asked(const HelperProcess& helper) {
    const auto sent = send_message(helper.socket(), "tell");
    const auto reply = sent ? receive_message(helper.socket(), no_end) : Result<std::optional<std::string>>(sent.error());
    return reply && *reply ? **reply : "has ended";
}

std::string expected(const HelperProcess& helper, Capabilities capabilities) {
    return std::to_string(helper.pid()) + " " + std::to_string(capabilities);
}

class HelperStarterTest : public testing::Test {
protected:
    std::shared_ptr<HelperStarter> starter_ =
        HelperStarter::start(RootDir::open("/").value(), {{"tmmd-plain", 0, tell_process}, {"tmmd-nice", nice, tell_process}})
            .value();
};

TEST_F(HelperStarterTest, StartsAsManyAsItIsAskedFor) {
    auto one = starter_->start_helper("tmmd-plain").value();
    auto other = starter_->start_helper("tmmd-plain").value();
    EXPECT_EQ(asked(*one), expected(*one, 0));
    EXPECT_EQ(asked(*other), expected(*other, 0));
    EXPECT_NE(one->pid(), other->pid());
    // One ends, which is none of the other's business.
    ::syscall(SYS_pidfd_send_signal, one->process(), SIGKILL, nullptr, 0);
    EXPECT_EQ(receive_message(one->socket(), long_enough).error().code(), EPIPE);
    EXPECT_EQ(asked(*other), expected(*other, 0));
    one = starter_->start_helper("tmmd-plain").value();
    EXPECT_EQ(asked(*one), expected(*one, 0));
}

TEST_F(HelperStarterTest, KnowsItsHelpersOnly) {
    EXPECT_EQ(starter_->start_helper("tmmd-other").error().code(), EINVAL);
    EXPECT_EQ(starter_->start_helper("").error().code(), EINVAL);
    EXPECT_TRUE(starter_->start_helper("tmmd-plain")) << "it lives on";
}

TEST_F(HelperStarterTest, EndsWithItsHelpers) {
    const auto helper = starter_->start_helper("tmmd-plain").value();
    EXPECT_EQ(asked(*helper), expected(*helper, 0));
    starter_.reset();
    EXPECT_EQ(receive_message(helper->socket(), long_enough).error().code(), EPIPE);
}

TEST_F(HelperStarterTest, TellsOfItsEnd) {
    ASSERT_EQ(::kill(starter_->pid(), SIGKILL), 0);
    ASSERT_EQ(::waitpid(starter_->pid(), nullptr, 0), starter_->pid());
    const auto helper = starter_->start_helper("tmmd-plain");
    ASSERT_FALSE(helper);
    EXPECT_EQ(helper.error().code(), EPIPE);
    EXPECT_NE(helper.error().message().find("tmmd-helpers) has ended; a restart of tmmd"), std::string::npos)
        << helper.error().message();
}

TEST_F(HelperStarterTest, HasWhatItsHelpersNeed) {
    if ((own_capabilities().value() & nice) == 0)
        GTEST_SKIP() << "without CAP_SYS_NICE there is no such helper";
    // A process of its own, since it loses the capability.
    const pid_t pid = ::fork();
    if (pid == 0) {
        const auto starter = HelperStarter::start(RootDir::open("/").value(), {{"tmmd-nice", nice, tell_process}}).value();
        const bool lost = keep_capabilities(0).has_value();
        const auto helper = starter->start_helper("tmmd-nice");
        ::_exit(lost && helper && asked(**helper) == expected(**helper, nice) ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// Without the capability it tells so when the helper is asked for; others start.
TEST(HelperStarter, MayLackACapability) {
    const pid_t pid = ::fork();
    if (pid == 0) {
        if (!keep_capabilities(0))
            ::_exit(1);
        const auto starter = HelperStarter::start(RootDir::open("/").value(),
                                                  {{"tmmd-plain", 0, tell_process}, {"tmmd-nice", nice, tell_process}});
        if (!starter)
            ::_exit(2);
        const auto helper = (*starter)->start_helper("tmmd-nice");
        ::_exit(!helper && helper.error().code() == EPERM && (*starter)->start_helper("tmmd-plain") ? 0 : 3);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

// The test plays a starter whose replies come too late.
TEST(HelperStarter, ForgetsLateReplies) {
    auto [ours, others] = message_sockets().value();
    HelperStarter starter(std::make_unique<HelperProcess>(std::move(ours), UniqueFd(), 0), no_wait);
    const auto late = starter.start_helper("tmmd-plain");
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code(), ETIMEDOUT);
    ASSERT_TRUE(send_message(others.get(), "1 22 too late"));
    ASSERT_TRUE(send_message(others.get(), "2 1 in time"));
    EXPECT_EQ(starter.start_helper("tmmd-plain").error().code(), EPERM);
    for (const char* nonsense : {"3", "4 x", "5 0 x", "6 0 17"})
        ASSERT_TRUE(send_message(others.get(), nonsense));
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(starter.start_helper("tmmd-plain").error().code(), EINVAL) << i;
}

}  // namespace
}  // namespace tmm::os
