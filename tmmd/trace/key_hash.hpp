// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// KeyHash: hashes the page keys of a recording, so that a trace tells nothing about the owner's data. It is SipHash-2-4
// (Aumasson, Bernstein, INDOCRYPT'12) with a secret that is forgotten with the recording. Pure but for random(); thread-safe.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "base/sip_hash.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::trace {

class KeyHash {
public:
    // low, high: the two halves of the secret, least significant first.
    constexpr KeyHash(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}

    // Returns a hash with a new secret. Error: the system has no random numbers.
    static Result<KeyHash> random();

    // Returns the hash of the eight bytes of the key, least significant first.
    [[nodiscard]] constexpr core::PageKey operator()(core::PageKey key) const {
        SipHash<2, 4> hash(low_, high_);
        hash.take(key);
        return hash.finish(0, sizeof key);
    }

private:
    std::uint64_t low_;
    std::uint64_t high_;
};

}  // namespace tmm::trace
