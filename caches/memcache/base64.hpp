// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Base64 (RFC 4648, with padding), for the binary keys of meta commands. Pure; thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tmm::caches::memcache {

std::string encode_base64(std::string_view bytes);

// Returns the bytes, or nothing for other text.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace tmm::caches::memcache
