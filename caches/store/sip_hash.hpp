// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SipHash-1-3: a hash that nobody can predict without its secret. So clients cannot choose keys that share a place in the index.
// Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tmm::caches {

struct HashSecret {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};

/// On a machine with the other order of bytes the hash differs, which does not matter here.
inline std::uint64_t sip_hash(std::string_view bytes, HashSecret secret) {
    std::uint64_t v0 = secret.low ^ 0x736f'6d65'7073'6575U;
    std::uint64_t v1 = secret.high ^ 0x646f'7261'6e64'6f6dU;
    std::uint64_t v2 = secret.low ^ 0x6c79'6765'6e65'7261U;
    std::uint64_t v3 = secret.high ^ 0x7465'6462'7974'6573U;
    const auto round = [&] {
        v0 += v1;
        v1 = std::rotl(v1, 13) ^ v0;
        v0 = std::rotl(v0, 32);
        v2 += v3;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 += v3;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 += v1;
        v1 = std::rotl(v1, 17) ^ v2;
        v2 = std::rotl(v2, 32);
    };
    const auto mix = [&](std::uint64_t word) {
        v3 ^= word;
        round();
        v0 ^= word;
    };
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, 8);
        mix(word);
    }
    std::uint64_t last = 0;
    if (at < bytes.size()) {
        std::memcpy(&last, bytes.data() + at, bytes.size() - at);
    }
    mix(last | (std::uint64_t{bytes.size()} << 56U));
    v2 ^= 0xff;
    round();
    round();
    round();
    return v0 ^ v1 ^ v2 ^ v3;
}

}  // namespace tmm::caches
