// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fuzzes the messages that a hand sends to the pager: what is taken leaves far memory's tables consistent.
#include <string_view>

#include "farmem/core/program.hpp"
#include "farmem/pager/process/hand_message.hpp"
#include "fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tmm::far;
    constexpr std::uint64_t max_pages = 5000;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    Program program(64, min_limit_pages);
    const SpaceId space = program.add_space();
    program.set_hand(space, true);
    std::uint64_t nr_present = 0;
    // One message after the other, each as long as its first byte says.
    while (!text.empty() && nr_present < max_pages) {
        const std::size_t length = std::min<std::size_t>(static_cast<unsigned char>(text.front()), text.size() - 1);
        const auto message = parse_hand_message(text.substr(1, length), max_pages);
        text.remove_prefix(1 + length);
        if (!message || message->kind != MessageKind::present)
            continue;
        TMM_REQUIRE(message->count <= HandMessage::max_ranges);
        std::uint64_t pages = 0;
        for (std::uint32_t i = 0; i < message->count; ++i) {
            const HandRange& range = message->ranges[i];
            TMM_REQUIRE(range.first < range.last);
            pages += (range.last - range.first) / page_bytes;
            (void)program.present(space, {range.first / page_bytes, range.last / page_bytes}, 0);
        }
        TMM_REQUIRE(pages <= max_pages && program.nr_local() <= nr_present + pages);
        nr_present += pages;
    }
    program.check();
    return 0;
}
