// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/handshake.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/messages/message_socket.hpp"

namespace tmm::far {

namespace {

// A hand answers at once.
constexpr std::chrono::seconds max_wait{10};

bool welcome(const MessageSocket& socket, const SharedMemory& memory, const SharedMemory& slots, int userfault) {
    HandMessage answer{};
    answer.kind = MessageKind::welcome;
    answer.number = slots.size();
    const int files[] = {memory.fd(), slots.fd(), userfault};
    return socket.send({reinterpret_cast<const char*>(&answer), short_message_bytes}, files).has_value();
}

}  // namespace

void shake_hands(UniqueFd socket, UniqueFd process, const HandMessage& hello, ProgramThread& program, const Device& device,
                 const Log& log) {
    const auto space = static_cast<SpaceId>(hello.number);
    auto memory = SharedMemory::make("tmm-far-hand", sizeof(HandBlock));
    if (hello.count != protocol_version || !memory)
        return;
    const UniqueFd child = space == 0 ? UniqueFd() : program.child_userfault(hello.number);
    if (space != 0 && !child)
        return;
    const MessageSocket messages(UniqueFd(::dup(socket.get())));
    if (!welcome(messages, *memory, program.slots(), child ? child.get() : device.fd()))
        return;
    auto received = messages.receive(max_wait, 1);
    HandMessage ready{};
    if (!received || !*received || (*received)->text.size() != short_message_bytes)
        return;
    std::memcpy(&ready, (*received)->text.data(), short_message_bytes);
    if (ready.kind != MessageKind::ready)
        return;
    HandLink hand{.socket = std::move(socket), .memory = std::move(*memory), .process = std::move(process)};
    if (space != 0) {
        (void)program.add_child(space, std::move(hand));
    } else if ((*received)->files.size() == 1) {
        auto userfault = device.begin(std::move((*received)->files[0]));
        if (userfault)
            program.add(std::move(*userfault), std::move(hand), ready.number);
        else
            log.error(program.name() + ": " + userfault.error().message());
    }
}

}  // namespace tmm::far
