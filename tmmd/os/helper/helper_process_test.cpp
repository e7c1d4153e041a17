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

// Tells its capabilities and open files at each message.
void tell(const MessageSocket& socket, const RootDir& /*root*/) {
    for (;;) {
        const auto message = socket.receive(no_end);
        if (!message || !*message)
            return;
        const int after_root = socket.fd() + 2;
        const bool has_others = ::fcntl(after_root, F_GETFD) >= 0;
        if (!socket.send(std::to_string(own_capabilities().value()) + (has_others ? " and files" : "")))
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
    if (!(*helper)->socket().send("tell"))
        return 4;
    const auto told = (*helper)->socket().receive(no_end);
    if (!told || !*told || (*told)->text != std::to_string(helpers))
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
