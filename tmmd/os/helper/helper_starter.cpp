// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Both ends: the process that starts helpers and the one of tmmd. A request is "NUMBER NAME". Its reply is "NUMBER 0 PID" with
// two files, the socket and the pidfd of the helper, or "NUMBER ERRNO MESSAGE".
#include "tmmd/os/helper/helper_starter.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>

#include "base/proc_text.hpp"
#include "base/unique_fd.hpp"
#include "base/units.hpp"

namespace tmm::os {

namespace {

constexpr const char* starter_name = "tmmd-helpers";
constexpr std::size_t max_text_bytes = 1024;

using Files = std::array<UniqueFd, 2>;
using FileNumbers = std::array<int, std::tuple_size_v<Files>>;

struct Reply {
    std::string text;
    Files files;
};

// The buffer of a control message for the files.
union Control {
    cmsghdr header;
    std::array<char, CMSG_SPACE(sizeof(FileNumbers))> bytes;
};

bool send_reply(int socket, std::string text, const HelperProcess* helper) {
    text.resize(std::min(text.size(), max_text_bytes));
    iovec vector{.iov_base = text.data(), .iov_len = text.size()};
    Control control{};
    msghdr message{};
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    if (helper) {
        const FileNumbers files{helper->socket(), helper->process()};
        message.msg_control = control.bytes.data();
        message.msg_controllen = control.bytes.size();
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof files);
        std::memcpy(CMSG_DATA(header), files.data(), sizeof files);
    }
    return ::sendmsg(socket, &message, MSG_NOSIGNAL) >= 0;
}

// Returns the next reply; nothing if none came in time, or a signal did.
Result<std::optional<Reply>> receive_reply(int socket, std::chrono::milliseconds wait) {
    pollfd waits{.fd = socket, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waits, 1, static_cast<int>(wait.count()));
    if (ready < 0 && errno != EINTR)
        return Error::from_errno(errno, "poll");
    if (ready <= 0)
        return std::optional<Reply>();
    Reply reply{std::string(max_text_bytes, '\0'), {}};
    iovec vector{.iov_base = reply.text.data(), .iov_len = reply.text.size()};
    Control control{};
    msghdr message{};
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    const ssize_t bytes = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (bytes < 0)
        return Error::from_errno(errno == ECONNRESET ? EPIPE : errno, "recvmsg");
    if (bytes == 0)
        return Error::from_errno(EPIPE, "recvmsg");
    reply.text.resize(static_cast<std::size_t>(bytes));
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof(FileNumbers))) {
        FileNumbers numbers{};
        std::memcpy(numbers.data(), CMSG_DATA(header), sizeof numbers);
        std::transform(numbers.begin(), numbers.end(), reply.files.begin(), [](int number) { return UniqueFd(number); });
    }
    return std::optional(std::move(reply));
}

// Starts the helper that a request wants, and keeps no part of it.
bool serve_request(int socket, const RootDir& root, const std::vector<HelperProcess::Work>& works, std::string_view request) {
    const std::string number(next_word(request));
    const auto work = std::ranges::find(works, trim(request), &HelperProcess::Work::name);
    if (work == works.end())
        return send_reply(socket, number + " " + std::to_string(EINVAL) + " it knows no such helper", nullptr);
    auto helper = HelperProcess::start(root, *work);
    if (!helper)
        return send_reply(socket, number + " " + std::to_string(helper.error().code()) + " " + helper.error().message(), nullptr);
    const bool sent = send_reply(socket, number + " 0 " + std::to_string((*helper)->pid()), helper->get());
    if (sent)
        (*helper)->let_go();
    return sent;
}

void serve_starts(int socket, const RootDir& root, const std::vector<HelperProcess::Work>& works) {
    // Helpers that end are no zombies.
    std::signal(SIGCHLD, SIG_IGN);
    for (;;) {
        const auto message = receive_message(socket, no_end);
        if (!message)
            return;
        if (*message && !serve_request(socket, root, works, **message))
            return;
    }
}

Error explained(const Error& error) {
    const std::string starter = std::string("the process that starts helpers (") + starter_name + ')';
    if (error.code() == EPIPE)
        return {EPIPE, starter + " has ended; a restart of tmmd starts it"};
    return Error(error).with_context(starter);
}

// text: a reply after its number.
Result<std::unique_ptr<HelperProcess>> helper_of(std::string_view text, Files files) {
    const auto code = parse_uint(next_word(text));
    if (!code)
        return code.error();
    if (*code != 0)
        return Error(static_cast<int>(*code), std::string(trim(text)));
    const auto pid = parse_uint(trim(text));
    if (!pid)
        return pid.error();
    if (!files[0] || !files[1])
        return Error(EINVAL, "a helper came without its files");
    return std::make_unique<HelperProcess>(std::move(files[0]), std::move(files[1]), static_cast<pid_t>(*pid));
}

}  // namespace

Result<std::shared_ptr<HelperStarter>> HelperStarter::start(const RootDir& root, std::vector<HelperProcess::Work> works) {
    const auto own = own_capabilities();
    if (!own)
        return own.error();
    Capabilities all = 0;
    for (const HelperProcess::Work& work : works)
        all |= work.capabilities;
    auto process = HelperProcess::start(root, {.name = starter_name,
                                               .capabilities = all & *own,
                                               .serve = [works = std::move(works)](int socket, const RootDir& own_root) {
                                                   serve_starts(socket, own_root, works);
                                               }});
    if (!process)
        return std::move(process).error();
    return std::make_shared<HelperStarter>(*std::move(process));
}

Result<std::unique_ptr<HelperProcess>> HelperStarter::start_helper(const std::string& name) {
    const std::string number = std::to_string(++number_);
    const auto end = std::chrono::steady_clock::now() + wait_;
    if (const auto sent = send_message(process_->socket(), number + " " + name); !sent)
        return explained(sent.error());
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        auto reply = receive_reply(process_->socket(), std::max(left, no_wait));
        if (!reply)
            return explained(reply.error());
        if (!*reply && left <= no_wait)
            return explained(Error::from_errno(ETIMEDOUT, "it does not reply"));
        if (!*reply)
            continue;  // a signal, or the time is over
        Reply got = **std::move(reply);
        std::string_view text = got.text;
        // A reply that came too late for its request loses its files here, and with them its helper.
        if (next_word(text) == number)
            return helper_of(text, std::move(got.files));
    }
}

}  // namespace tmm::os
