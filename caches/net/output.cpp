// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/net/output.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace tmm::caches {
namespace {

// To copy so few bytes is faster than to send them from two places.
constexpr std::size_t max_copied_bytes = 2048;
// A connection keeps so much for its next replies.
constexpr std::size_t kept_bytes = 16384;
constexpr std::size_t max_pieces = 64;

}  // namespace

void Output::add(Buffer value) {
    if (value.size() <= max_copied_bytes) {
        text_ += value.view();
        return;
    }
    value_bytes_ += value.size();
    values_.push_back({text_.size(), std::move(value)});
}

std::ptrdiff_t Output::send_to(int socket) {
    std::size_t all_sent = 0;
    while (!empty()) {
        std::array<iovec, max_pieces> pieces;
        std::size_t number = 0;
        std::size_t text_at = text_sent_;
        std::size_t offset = value_offset_;
        std::size_t wanted = 0;
        const auto add_piece = [&](char* bytes, std::size_t size) {
            if (size > 0) {
                pieces[number++] = {bytes, size};
                wanted += size;
            }
        };
        std::size_t next = values_sent_;
        for (; next < values_.size() && number + 2 < max_pieces; ++next) {
            add_piece(text_.data() + text_at, values_[next].text_before - text_at);
            text_at = values_[next].text_before;
            add_piece(values_[next].bytes.data() + offset, values_[next].bytes.size() - offset);
            offset = 0;
        }
        if (next == values_.size())
            add_piece(text_.data() + text_at, text_.size() - text_at);
        msghdr message{};
        message.msg_iov = pieces.data();
        message.msg_iovlen = number;
        const ssize_t sent = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK ? static_cast<std::ptrdiff_t>(all_sent) : -errno;
        advance(static_cast<std::size_t>(sent));
        all_sent += static_cast<std::size_t>(sent);
        if (static_cast<std::size_t>(sent) < wanted)
            break;
    }
    return static_cast<std::ptrdiff_t>(all_sent);
}

void Output::advance(std::size_t bytes) {
    while (bytes > 0 && values_sent_ < values_.size()) {
        Value& value = values_[values_sent_];
        const std::size_t text = std::min(bytes, value.text_before - text_sent_);
        text_sent_ += text;
        bytes -= text;
        const std::size_t part = std::min(bytes, value.bytes.size() - value_offset_);
        value_offset_ += part;
        value_bytes_ -= part;
        bytes -= part;
        if (text_sent_ == value.text_before && value_offset_ == value.bytes.size()) {
            value.bytes = Buffer();
            ++values_sent_;
            value_offset_ = 0;
        }
    }
    text_sent_ += bytes;
    if (empty()) {
        values_.clear();
        values_sent_ = 0;
        text_sent_ = 0;
        if (text_.capacity() > kept_bytes)
            text_ = std::string();
        else
            text_.clear();
    } else if (text_sent_ > kept_bytes && text_sent_ > text_.size() / 2) {
        // A client that never reads all of it would let the text grow without end.
        text_.erase(0, text_sent_);
        values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(values_sent_));
        for (Value& value : values_)
            value.text_before -= text_sent_;
        values_sent_ = 0;
        text_sent_ = 0;
    }
}

}  // namespace tmm::caches
