// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SipHash-1-3 of keys: clients cannot choose keys that share a place in the index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/sip_hash.hpp"

namespace tmm::caches {

struct HashSecret {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};

/// On a machine with the other order of bytes the hash differs, which does not matter here.
inline std::uint64_t sip_hash(std::string_view bytes, HashSecret secret) {
    SipHash<1, 3> hash(secret.low, secret.high);
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, 8);
        hash.take(word);
    }
    std::uint64_t rest = 0;
    if (at < bytes.size()) {
        std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    }
    return hash.finish(rest, bytes.size());
}

}  // namespace tmm::caches
