// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Input: decodes the bytes of a fuzz target into numbers, for targets that run operations. Beyond the end all bytes are 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tmm::fuzz {

class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
    [[nodiscard]] bool empty() const { return left_ == 0; }
    std::uint8_t byte() {
        if (left_ == 0)
            return 0;
        --left_;
        return *data_++;
    }
    // limit: at most 256.
    std::uint64_t below(std::uint64_t limit) { return byte() % limit; }
    bool one_in(std::uint64_t times) { return below(times) == 0; }

    // Any size is as likely as any other. max_bits: at most 63.
    std::uint64_t number(std::uint64_t max_bits) {
        const std::uint64_t bits = below(max_bits + 1);
        const std::uint64_t top = std::uint64_t{1} << bits;
        return bits == 0 ? 0 : top - 1 - byte() * (top / 512);
    }
    // A share in [0, 1].
    double share() { return byte() / 255.0; }
    // A number that a broken counter may have: one in four is negative, huge or none at all.
    double counter(double usual) {
        static constexpr std::array<double, 8> unusual{-1,
                                                       -0.0,
                                                       1e-300,
                                                       1e18,
                                                       1e300,
                                                       std::numeric_limits<double>::infinity(),
                                                       -std::numeric_limits<double>::infinity(),
                                                       std::numeric_limits<double>::quiet_NaN()};
        const std::uint8_t choice = byte();
        return choice >= 192 ? unusual.at(choice % unusual.size()) : usual * choice / 191;
    }

private:
    const std::uint8_t* data_;
    std::size_t left_;
};

}  // namespace tmm::fuzz
