// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/process/process.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "farmem/pager/process/hand_message.hpp"

namespace tmm::far {

namespace {

// A hand takes some microseconds for a run of pages. If it does not get on (it may be stopped), others are served meanwhile.
constexpr int max_spins = 4000;

}  // namespace

std::span<const uffd_msg> Process::read(bool& is_busy) {
    if (hand) {
        hand->block().pager_reads.store(1);
        for (int spins = 0; hand->block().hand_moves.load() != 0; ++spins) {
            if (spins == max_spins) {
                hand->block().pager_reads.store(0);
                is_busy = true;
                return {};
            }
        }
    }
    return std::span(messages_).first(userfault.read(messages_));
}

void Process::end_read(const std::vector<HandRange>& cancelled) {
    if (!hand)
        return;
    for (const HandRange& range : cancelled) {
        for (HandBatch& batch : hand->block().batches) {
            for (HandOrder& order : batch.orders) {
                const std::uint64_t address = order.address.load();
                if (address >= range.first && address < range.last)
                    order.address.store(0);
            }
        }
    }
    hand->block().pager_reads.store(0);
}

bool Process::send(const std::vector<Order>& orders) {
    const auto free = std::find_if(batches.begin(), batches.end(), [](const auto& batch) { return batch.empty(); });
    if (!hand || free == batches.end())
        return false;
    const auto number = static_cast<std::uint32_t>(free - batches.begin());
    HandBatch& batch = hand->block().batches[number];
    batch.count = static_cast<std::uint32_t>(orders.size());
    for (std::size_t i = 0; i < orders.size(); ++i) {
        batch.orders[i].address.store(orders[i].page * page_bytes);
        batch.orders[i].slot = orders[i].slot;
        batch.orders[i].outcome = static_cast<std::uint32_t>(Outcome::refused);
    }
    HandMessage message{};
    message.kind = MessageKind::evict;
    message.count = number;
    if (::send(hand->socket.get(), &message, message_header_bytes, MSG_DONTWAIT | MSG_NOSIGNAL) <= 0)
        return false;
    *free = orders;
    return true;
}

bool Process::send(MessageKind kind, const std::vector<HandRange>& ranges) {
    if (!hand)
        return false;
    HandMessage message{};
    message.kind = kind;
    message.count = static_cast<std::uint32_t>(std::min<std::size_t>(ranges.size(), HandMessage::max_ranges));
    std::copy_n(ranges.begin(), message.count, message.ranges);
    return ::send(hand->socket.get(), &message, message_header_bytes + message.count * sizeof(HandRange),
                  MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
}

void Process::kill() const {
    if (hand)
        ::syscall(SYS_pidfd_send_signal, hand->process.get(), SIGKILL, nullptr, 0);
}

Result<std::optional<HandMessage>> Process::receive() {
    std::array<char, sizeof(HandMessage) + 1> text;
    const ssize_t bytes = ::recv(hand->socket.get(), text.data(), text.size(), MSG_DONTWAIT);
    if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
        return std::optional<HandMessage>();
    // A hand reports what is in memory.
    static const auto max_pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
    auto message = parse_hand_message({text.data(), static_cast<std::size_t>(std::max<ssize_t>(bytes, 0))}, max_pages);
    if (!message)
        return Error::from_errno(EPIPE, "the hand");
    return message;
}

}  // namespace tmm::far
