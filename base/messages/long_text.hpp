// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Texts over a MessageSocket that may be longer than a message: those that are go as a file in memory. The other end is trusted.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/messages/message_socket.hpp"
#include "base/result.hpp"

namespace tmm {

inline constexpr std::size_t max_long_text_bytes = 64 << 20;

// Error: as of MessageSocket::send(); EMSGSIZE, longer than max_long_text_bytes; no memory for the file.
[[nodiscard]] Result<void> send_long(const MessageSocket& socket, std::string_view text);

// Returns the next text; nothing if none came in time. Error: as of MessageSocket::receive(), or of the file.
[[nodiscard]] Result<std::optional<std::string>> receive_long(const MessageSocket& socket, std::chrono::milliseconds wait);

}  // namespace tmm
