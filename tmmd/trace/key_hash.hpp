// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// KeyHash: hashes the page keys of a recording, so that a trace tells nothing about the owner's data. It is SipHash-2-4
// (Aumasson, Bernstein, INDOCRYPT'12) with a secret that is forgotten with the recording. Pure but for random(); thread-safe.
#pragma once

#include <bit>
#include <cstdint>

#include "base/result.hpp"
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
        State state{low_ ^ 0x736f6d6570736575, high_ ^ 0x646f72616e646f6d, low_ ^ 0x6c7967656e657261, high_ ^ 0x7465646279746573};
        state.take(key);
        state.take(std::uint64_t{8} << 56);  // the length of the message
        state.c ^= 0xff;
        for (int round = 0; round < 4; ++round)
            state.mix();
        return state.a ^ state.b ^ state.c ^ state.d;
    }

private:
    struct State {
        std::uint64_t a, b, c, d;

        constexpr void take(std::uint64_t word) {
            d ^= word;
            mix();
            mix();
            a ^= word;
        }
        constexpr void mix() {
            a += b;
            b = std::rotl(b, 13) ^ a;
            a = std::rotl(a, 32);
            c += d;
            d = std::rotl(d, 16) ^ c;
            a += d;
            d = std::rotl(d, 21) ^ a;
            c += b;
            b = std::rotl(b, 17) ^ c;
            c = std::rotl(c, 32);
        }
    };

    std::uint64_t low_;
    std::uint64_t high_;
};

}  // namespace tmm::trace
