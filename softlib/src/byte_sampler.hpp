// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/xorshift64.hpp"

namespace soft::detail {

/// Of bytes that are written in small parts a part now and then, which stands for all since the one before. Intervals are by
/// chance: always the same would see only one of several things that happen in turn. A segment is 2,000 intervals, so what is
/// counted of it is right to some per cent. One thread's.
class ByteSampler {
public:
    /// Whether a part of so many bytes is one that others stand for. If not, it is not counted yet.
    bool passes(std::size_t bytes) noexcept {
        const auto part = static_cast<std::int64_t>(bytes);
        if (left_ <= part) [[unlikely]] {
            return false;
        }
        left_ -= part;
        return true;
    }
    /// How many bytes one of so many stands for that does not pass.
    std::size_t stands_for(std::size_t bytes) noexcept {
        const auto ended = static_cast<std::size_t>(interval_ - left_) + bytes;
        interval_ = std::int64_t{1} + random_.below(max_interval);
        left_ = interval_;
        return ended;
    }

private:
    static constexpr std::uint32_t max_interval = 2048;

    Xorshift64 random_{1};
    std::int64_t interval_ = 1;
    std::int64_t left_ = 1;
};

}  // namespace soft::detail
