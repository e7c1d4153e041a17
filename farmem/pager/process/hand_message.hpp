// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// parse_hand_message(): a message of a hand that runs, checked: its memory is that of a program, which may write anywhere. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "farmem/preload/protocol.hpp"

namespace tmm::far {

// Returns a message of the kinds size, present (ranges that follow each other are not empty, and together have at most max_pages)
// and done (of a batch that there is); none of anything else.
std::optional<HandMessage> parse_hand_message(std::string_view bytes, std::uint64_t max_pages);

}  // namespace tmm::far
