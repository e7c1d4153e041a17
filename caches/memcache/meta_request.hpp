// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A meta command of memcached's text protocol: its key and its flags. Source: memcached's doc/protocol.txt. Pure; thread-safe.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tmm::caches::memcache {

inline constexpr std::size_t max_meta_flags = 17;
inline constexpr std::size_t max_opaque_bytes = 32;

enum class MetaVerb : std::uint8_t { get, set, remove, arithmetic, debug, noop };

struct MetaRequest {
    MetaVerb verb = MetaVerb::noop;
    std::string_view sent_key;                           // as sent, maybe in base64
    std::string decoded_key;                             // of a key in base64
    std::array<std::string_view, max_meta_flags> flags;  // in the client's order, which is that of the reply
    std::size_t nr_flags = 0;
    std::bitset<128> has;
    char mode = 0;
    std::int64_t expiry = 0;         // T
    std::int64_t vivify_expiry = 0;  // N
    std::int64_t recache_below = 0;  // R
    std::uint32_t client_flags = 0;  // F
    std::uint64_t compare_cas = 0;   // C
    std::uint64_t new_cas = 0;       // E
    std::uint64_t delta = 1;         // D
    std::uint64_t initial = 0;       // J

    [[nodiscard]] bool flag(char letter) const { return has[static_cast<unsigned char>(letter)]; }
    [[nodiscard]] std::string_view key() const { return flag('b') ? std::string_view(decoded_key) : sent_key; }
};

// Reads the flags of a meta command, whose verb and sent_key are set. Returns the error to send, or nothing.
std::optional<std::string_view> parse_meta_flags(MetaRequest& request, std::string_view flags);

}  // namespace tmm::caches::memcache
