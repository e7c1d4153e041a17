// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SipHash: a hash of words that nobody can predict without its secret (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
// INDOCRYPT 2012). SipHash-c-d has c rounds a word and d at the end. Pure; thread-safe in different objects.
#pragma once

#include <bit>
#include <cstdint>

namespace tmm {

template <int word_rounds, int last_rounds>
class SipHash {
public:
    // The secret, as two words.
    constexpr SipHash(std::uint64_t low, std::uint64_t high)
        : a_(low ^ 0x736f6d6570736575),
          b_(high ^ 0x646f72616e646f6d),
          c_(low ^ 0x6c7967656e657261),
          d_(high ^ 0x7465646279746573) {}

    // Takes eight bytes of the message, least significant first.
    constexpr void take(std::uint64_t word) {
        d_ ^= word;
        mix(word_rounds);
        a_ ^= word;
    }
    // Ends the message. rest: its last bytes, fewer than eight. size: of the whole message, in bytes.
    constexpr std::uint64_t finish(std::uint64_t rest, std::uint64_t size) {
        take(rest | (size << 56U));
        c_ ^= 0xff;
        mix(last_rounds);
        return a_ ^ b_ ^ c_ ^ d_;
    }

private:
    constexpr void mix(int rounds) {
        for (int round = 0; round < rounds; ++round) {
            a_ += b_;
            b_ = std::rotl(b_, 13) ^ a_;
            a_ = std::rotl(a_, 32);
            c_ += d_;
            d_ = std::rotl(d_, 16) ^ c_;
            a_ += d_;
            d_ = std::rotl(d_, 21) ^ a_;
            c_ += b_;
            b_ = std::rotl(b_, 17) ^ c_;
            c_ = std::rotl(c_, 32);
        }
    }

    std::uint64_t a_, b_, c_, d_;
};

}  // namespace tmm
