// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MessageSocket: one end of a Unix socket that keeps messages apart (SOCK_SEQPACKET). A message has a bounded text, and may pass
// files. Nothing that the other end does makes this process wait or take more than a message has. Called from one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace tmm {

// The longest text. Sockets take it with the kernel's own settings (net.core.wmem_default).
inline constexpr std::size_t max_message_bytes = 128 << 10;
// Of one message.
inline constexpr std::size_t max_message_files = 8;

inline constexpr std::chrono::milliseconds no_wait{0};
inline constexpr std::chrono::milliseconds no_end{-1};

class MessageSocket {
public:
    struct Message {
        std::string text;
        std::vector<UniqueFd> files;  // closed by exec(2)
    };

    // Makes both ends. Error: no more files.
    static Result<std::pair<MessageSocket, MessageSocket>> pair();

    // fd: a connected socket of that type.
    explicit MessageSocket(UniqueFd fd) : fd_(std::move(fd)) {}

    // Sends a message without waiting. text: not empty, since that is how an end looks. files: stay open here. Error: EMSGSIZE,
    // the text is empty or too long, or there are too many files; EPIPE, the other end is closed; EAGAIN, it does not read.
    [[nodiscard]] Result<void> send(std::string_view text, std::span<const int> files = {}) const;

    // Returns the next message; nothing if none came in time, or a signal did. max_files: that it may have, up to
    // max_message_files. Error: EPIPE, the other end is closed; EMSGSIZE, a longer text or more files, which are lost.
    [[nodiscard]] Result<std::optional<Message>> receive(std::chrono::milliseconds wait, std::size_t max_files = 0) const;

    // Returns whether the other end is closed. Does not wait, and leaves messages where they are.
    [[nodiscard]] bool is_closed() const;

    // To poll(2).
    [[nodiscard]] int fd() const { return fd_.get(); }

private:
    UniqueFd fd_;
};

}  // namespace tmm
