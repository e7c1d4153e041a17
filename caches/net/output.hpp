// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Output: the bytes that a connection still has to send, as text and as values. Large values are sent from where they are, by
// writev(2). Not thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "caches/store/buffer.hpp"

namespace tmm::caches {

class Output {
public:
    // Text to append to. The reference is valid until the next call.
    std::string& text() { return text_; }
    // Adds a value behind the text so far.
    void add(Buffer value);

    [[nodiscard]] std::size_t bytes() const { return value_bytes_ + text_.size() - text_sent_; }
    [[nodiscard]] bool empty() const { return bytes() == 0; }

    // Sends as much as the socket takes. Returns the bytes sent, or -errno; 0 if the socket takes none now.
    std::ptrdiff_t send_to(int socket);

private:
    struct Value {
        std::size_t text_before;  // the value follows this much of text_
        Buffer bytes;
    };

    void advance(std::size_t bytes);

    std::string text_;
    std::size_t text_sent_ = 0;
    std::vector<Value> values_;
    std::size_t values_sent_ = 0;   // so many are behind us
    std::size_t value_offset_ = 0;  // sent of the next one
    std::size_t value_bytes_ = 0;   // of all values, unsent
};

}  // namespace tmm::caches
