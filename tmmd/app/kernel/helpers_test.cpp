// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/kernel/helpers.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>

#include "base/temp_tree.hpp"
#include "tmmd/os/helper/capabilities.hpp"

namespace tmm::app {
namespace {

constexpr os::Capabilities ptrace = os::capability(CAP_SYS_PTRACE);
constexpr os::Capabilities dac_override = os::capability(CAP_DAC_OVERRIDE);

// Returns the effective capabilities of another process.
os::Capabilities capabilities_of(const RootDir& root, pid_t process) {
    const std::string text = root.read_file("proc/" + std::to_string(process) + "/status").value();
    return std::strtoull(text.c_str() + text.find("CapEff:") + 7, nullptr, 16);
}

// Runs body in a process of its own, since it loses capabilities, and returns its exit status.
template <typename Body>
int status_of(const Body& body) {
    const pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(body());
    int status = 0;
    return ::waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int use_footprints(const RootDir& root) {
    const os::Capabilities before = os::own_capabilities().value();
    const auto helpers = start_helpers(root, true);
    if (!helpers || !helpers->footprints)
        return 1;
    if (os::own_capabilities().value() != (before & ~ptrace))
        return 2;
    const SourceTools tools = source_tools(*helpers);
    const auto footprints = tools.open_footprints();
    if (!footprints)
        return 3;
    const core::Seconds began = tools.own_cpu_time();
    const auto read = (*footprints)->read({});
    if (!read || read->empty())
        return 4;
    if (!((*helpers->footprints)->cpu_time() > core::Seconds(0) && tools.own_cpu_time() - began > core::Seconds(0)))
        return 5;
    return capabilities_of(root, (*helpers->footprints)->pid()) == (ptrace | dac_override) ? 0 : 6;
}

// Kills the helper.
int miss_it(const RootDir& root) {
    const auto helpers = start_helpers(root, true);
    if (!helpers || !helpers->footprints)
        return 1;
    const SourceTools tools = source_tools(*helpers);
    const auto footprints = tools.open_footprints();
    if (!footprints || ::kill((*helpers->footprints)->pid(), SIGKILL) != 0)
        return 2;
    auto read = (*footprints)->read({});  // one may come before the end
    while (read)
        read = (*footprints)->read({});
    if (read.error().code() != EPIPE || !(*footprints)->have_failed())
        return 3;
    const auto again = tools.open_footprints();
    return !again && again.error().code() == EPIPE ? 0 : 4;
}

TEST(HelpersAsRoot, AloneSeeOtherProcesses) {
    constexpr os::Capabilities needed = ptrace | dac_override;
    if ((os::own_capabilities().value() & needed) != needed)
        GTEST_SKIP() << "without CAP_SYS_PTRACE and CAP_DAC_OVERRIDE there are no helpers";
    const RootDir root = RootDir::open("/").value();
    EXPECT_EQ(status_of([&] { return use_footprints(root); }), 0);
    EXPECT_EQ(status_of([&] { return miss_it(root); }), 0);
}

TEST(Helpers, AreMissedWithTheirReason) {
    TempTree tree;
    const RootDir root = tree.root();
    const auto why = [&](bool wanted) {
        return status_of([&] {
            if (!os::keep_capabilities(0))
                return 1;
            const auto helpers = start_helpers(root, wanted);
            if (!helpers)
                return 2;
            const auto opened = source_tools(*helpers).open_footprints();
            return opened ? 3 : opened.error().code();
        });
    };
    EXPECT_EQ(why(false), ENODEV);
    EXPECT_EQ(why(true), EPERM);
}

}  // namespace
}  // namespace tmm::app
