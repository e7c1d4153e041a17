// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/messages/long_text.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tmm {

namespace {

// The text of a message whose own is in a file.
constexpr std::string_view in_file = "file";

Result<UniqueFd> file_of(std::string_view text) {
    UniqueFd file(::memfd_create("tmm-text", MFD_CLOEXEC));
    if (!file)
        return Error::from_errno(errno, "memfd_create");
    while (!text.empty()) {
        const ssize_t written = ::write(file.get(), text.data(), text.size());
        if (written < 0 && errno != EINTR)
            return Error::from_errno(errno, "memfd");
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    return file;
}

Result<std::string> text_in(int file) {
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::pread(file, buffer, sizeof buffer, static_cast<off_t>(text.size()));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return Error::from_errno(errno, "memfd");
        if (got == 0)
            return text;
        text.append(buffer, static_cast<std::size_t>(got));
        if (text.size() > max_long_text_bytes)
            return Error::from_errno(EMSGSIZE, "memfd");
    }
}

}  // namespace

Result<void> send_long(const MessageSocket& socket, std::string_view text) {
    if (text.size() <= max_message_bytes)
        return socket.send(text);
    if (text.size() > max_long_text_bytes)
        return Error::from_errno(EMSGSIZE, "a text");
    const auto file = file_of(text);
    if (!file)
        return file.error();
    const int fd = file->get();
    return socket.send(in_file, {&fd, 1});
}

Result<std::optional<std::string>> receive_long(const MessageSocket& socket, std::chrono::milliseconds wait) {
    auto message = socket.receive(wait, 1);
    if (!message)
        return std::move(message).error();
    if (!*message)
        return std::optional<std::string>();
    if ((*message)->files.empty())
        return std::optional(std::move((*message)->text));
    auto text = text_in((*message)->files.front().get());
    if (!text)
        return std::move(text).error();
    return std::optional(*std::move(text));
}

}  // namespace tmm
