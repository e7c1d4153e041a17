// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The owner's will as a file that people can read: INI, /var/lib/tmm/owner.conf. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "tmmd/core/giving.hpp"

namespace tmm::app {

std::string format_will(const core::Will& will);

// file_name: for messages. Error: EINVAL with "FILE:LINE: Key: what is wrong".
Result<core::Will> parse_will(std::string_view text, const std::string& file_name);

// What counts when a file was there and cannot be believed: the owner may have wanted nothing to be given.
core::Will cautious_will();

}  // namespace tmm::app
