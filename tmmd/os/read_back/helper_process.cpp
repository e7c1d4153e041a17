// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The helper process of SwapReader, and its other end.
#include <linux/capability.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <utility>

#include "tmmd/os/page_size.hpp"
#include "tmmd/os/read_back/page_adviser.hpp"
#include "tmmd/os/read_back/read_back_worker.hpp"
#include "tmmd/os/read_back/swap_reader.hpp"

namespace tmm::os {

namespace {

// An order has at most 16 lines, each with a path.
constexpr std::size_t max_message = 65536 + 4096;
// Between two looks at the disk, while an order is under way.
constexpr int turn_ms = 10;

core::AwakeTime awake_now() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return core::AwakeTime(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

using Capabilities = std::array<__user_cap_data_struct, 2>;

constexpr std::uint32_t bit_of(unsigned capability) {
    return std::uint32_t{1} << capability;
}
// Both are of the first 32.
constexpr std::uint32_t helpers = bit_of(CAP_SYS_PTRACE) | bit_of(CAP_SYS_NICE);

Result<Capabilities> own_capabilities() {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    Capabilities all{};
    if (::syscall(SYS_capget, &header, all.data()) != 0)
        return Error::from_errno(errno, "capget");
    return all;
}

Result<void> set_capabilities(const Capabilities& wanted) {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    if (::syscall(SYS_capset, &header, wanted.data()) != 0)
        return Error::from_errno(errno, "capset");
    return {};
}

// The same in all sets; nothing is inheritable.
Capabilities only(const Capabilities& all, std::uint32_t low, std::uint32_t high) {
    Capabilities some{};
    some[0].effective = some[0].permitted = all[0].permitted & low;
    some[1].effective = some[1].permitted = all[1].permitted & high;
    return some;
}

// The child of start(). Never returns.
[[noreturn]] void help(UniqueFd socket, const RootDir& parents_root, const Capabilities& all) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NAME, "tmmd-read-back");
    // A process opens its own root anew, since the next line closes all that is the parent's.
    constexpr int first_other = STDERR_FILENO + 1;
    if (socket.get() != first_other && ::dup2(socket.get(), first_other) < 0)
        ::_exit(EXIT_FAILURE);
    ::syscall(SYS_close_range, first_other + 1, ~0U, 0U);
    const auto root = RootDir::open(parents_root.name_of(""));
    if (!root || !set_capabilities(only(all, helpers, 0)))
        ::_exit(EXIT_FAILURE);
    KernelPageAdviser adviser;
    serve_orders(first_other, *root, adviser);
    ::_exit(EXIT_SUCCESS);
}

}  // namespace

void serve_orders(int socket, const RootDir& root, PageAdviser& adviser) {
    ReadBackWorker worker(root, adviser, page_bytes());
    std::string message(max_message, '\0');
    std::uint64_t number = 0;  // of the order under way
    for (;;) {
        pollfd waits{.fd = socket, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&waits, 1, worker.busy() ? turn_ms : -1);
        if (ready < 0 && errno != EINTR)
            return;
        if (ready > 0) {
            const ssize_t bytes = ::recv(socket, message.data(), message.size(), 0);
            if (bytes <= 0)
                return;
            const auto order = parse_order(std::string_view(message).substr(0, static_cast<std::size_t>(bytes)));
            if (!order)
                return;
            number = order->number;
            order->shares.empty() ? worker.stop() : worker.begin(order->shares, awake_now());
        }
        if (!worker.busy())
            continue;
        worker.turn(awake_now());
        if (worker.busy())
            continue;
        const std::string report =
            text_of(ReadBackReport{number, worker.read(), worker.problem() ? worker.problem()->message() : ""});
        if (::send(socket, report.data(), report.size(), MSG_NOSIGNAL) < 0)
            return;
    }
}

Result<std::unique_ptr<HelperProcess>> HelperProcess::start(const RootDir& root) {
    const auto all = own_capabilities();
    if (!all)
        return all.error();
    if (((*all)[0].effective & helpers) != helpers)
        return Error(EPERM, "tmmd lacks CAP_SYS_PTRACE or CAP_SYS_NICE");
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return Error::from_errno(errno, "socketpair");
    UniqueFd own(ends[0]);
    UniqueFd helpers_end(ends[1]);
    const pid_t pid = ::fork();
    if (pid < 0)
        return Error::from_errno(errno, "fork");
    if (pid == 0)
        help(std::move(helpers_end), root, *all);
    auto helper = std::make_unique<HelperProcess>(std::move(own), pid);
    if (const auto lost = set_capabilities(only(*all, ~helpers, ~std::uint32_t{0})); !lost)
        return lost.error();
    return helper;
}

HelperProcess::~HelperProcess() {
    // It may wait for a disk. Whoever inherits it then sees its end.
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, WNOHANG);
}

// A helper that waits for the disk reads later. It does not keep tmmd waiting.
Result<void> HelperProcess::send(const ReadBackOrder& order) {
    const std::string text = text_of(order);
    if (::send(socket_.get(), text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
        return Error::from_errno(errno, "the process that reads memory back has ended or hangs");
    return {};
}

Result<void> HelperProcess::begin(const std::vector<core::ReadBackShare>& shares) {
    return send({++number_, shares});
}

void HelperProcess::stop() {
    // A helper that has gone has stopped, too.
    static_cast<void>(send({++number_, {}}));
}

std::optional<SwapReader::Report> HelperProcess::take_report() {
    std::array<char, 4096> text{};
    const ssize_t bytes = ::recv(socket_.get(), text.data(), text.size(), MSG_DONTWAIT);
    if (bytes < 0)
        return std::nullopt;
    if (bytes == 0)
        return Report{core::Pages(0), "the process that reads memory back has ended"};
    const auto report = parse_report({text.data(), static_cast<std::size_t>(bytes)});
    if (!report || report->number != number_)
        return std::nullopt;
    return Report{report->read, report->problem};
}

}  // namespace tmm::os
