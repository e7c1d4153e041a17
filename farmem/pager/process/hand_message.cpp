// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/process/hand_message.hpp"

#include <cstring>

namespace tmm::far {

namespace {

// No address space of a program ends later.
constexpr std::uint64_t max_address = std::uint64_t{1} << 56;

bool has_good_ranges(const HandMessage& message, std::uint64_t max_pages) {
    std::uint64_t pages = 0;
    for (std::uint32_t i = 0; i < message.count; ++i) {
        const HandRange& range = message.ranges[i];
        if (range.first >= range.last || range.last > max_address || (range.first | range.last) % hand_page_bytes != 0)
            return false;
        pages += (range.last - range.first) / hand_page_bytes;
    }
    return pages <= max_pages;
}

}  // namespace

std::optional<HandMessage> parse_hand_message(std::string_view bytes, std::uint64_t max_pages) {
    HandMessage message{};
    if (bytes.size() < message_header_bytes || bytes.size() > sizeof message)
        return std::nullopt;
    std::memcpy(&message, bytes.data(), bytes.size());
    const bool is_good = [&] {
        switch (message.kind) {
            case MessageKind::size:
                return true;
            case MessageKind::done:
                return message.count < nr_batches;
            case MessageKind::present:
                return message.count <= HandMessage::max_ranges &&
                       bytes.size() == message_header_bytes + message.count * sizeof(HandRange) &&
                       has_good_ranges(message, max_pages);
            default:
                return false;
        }
    }();
    return is_good ? std::optional(message) : std::nullopt;
}

}  // namespace tmm::far
