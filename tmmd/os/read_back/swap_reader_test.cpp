// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/read_back/swap_reader.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

#include "base/temp_tree.hpp"
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
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
    UniqueFd own(ends[0]);
    UniqueFd other(ends[1]);
    NoAdviser adviser;
    std::thread helper([&] { serve_orders(other.get(), root, adviser); });
    const std::string order = text_of(ReadBackOrder{3, {{"sys/fs/cgroup/a", core::Pages(5)}}});
    ASSERT_EQ(::send(own.get(), order.data(), order.size(), 0), static_cast<ssize_t>(order.size()));
    std::array<char, 256> text{};
    const ssize_t bytes = ::recv(own.get(), text.data(), text.size(), 0);
    EXPECT_EQ(parse_report({text.data(), static_cast<std::size_t>(std::max<ssize_t>(bytes, 0))}).value(),
              (ReadBackReport{3, core::Pages(0), ""}));
    own.reset();
    helper.join();
}

// Returns the effective capabilities of a process, in hexadecimal digits.
std::uint64_t capabilities_of(const std::string& process) {
    const auto root = RootDir::open("/").value();
    const std::string text = root.read_file("proc/" + process + "/status").value();
    const auto at = text.find("CapEff:");
    return std::strtoull(text.c_str() + at + 7, nullptr, 16);
}

// The exit status of a process that starts a helper and has it carry out an order.
int start_helper() {
    constexpr std::uint64_t helpers = (std::uint64_t{1} << 19) | (std::uint64_t{1} << 23);  // CAP_SYS_PTRACE, CAP_SYS_NICE
    const std::uint64_t before = capabilities_of("self");
    const auto helper = HelperProcess::start(RootDir::open("/").value());
    if (!helper)
        return 1;
    if (!(*helper)->begin({{"sys/fs/cgroup/there-is-none", core::Pages(5)}}))
        return 2;
    std::optional<SwapReader::Report> report;
    while (!report) {
        report = (*helper)->take_report();
        std::this_thread::yield();
    }
    if (!report->problem.empty())
        return 3;
    if (capabilities_of("self") != (before & ~helpers))
        return 4;
    return capabilities_of(std::to_string((*helper)->pid())) == helpers ? 0 : 5;
}

TEST(HelperProcess, AloneHasTheCapabilitiesToSeeOtherProcesses) {
    if ((capabilities_of("self") >> 19 & 1) == 0 || (capabilities_of("self") >> 23 & 1) == 0)
        GTEST_SKIP() << "without CAP_SYS_PTRACE and CAP_SYS_NICE there is no helper";
    // A process of its own, since it loses capabilities.
    const pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(start_helper());
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tmm::os
