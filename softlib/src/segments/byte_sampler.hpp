// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/base/xorshift64.hpp"

namespace soft::detail {

/// Samples bytes that are written in small parts: one part now and then stands for all since the previous one. Intervals are
/// random; fixed ones could see only one of several things that happen in turn. A segment has 2,000 intervals, so its count is
/// right to some per cent. One sampler a thread.
class ByteSampler {
public:
    /// Returns true if the part is outside the sample: a later part stands for it. Returns false if it is in the sample; then
    /// call stands_for().
    bool passes(std::size_t bytes) noexcept {
        const auto part = static_cast<std::int64_t>(bytes);
        if (left_ <= part) [[unlikely]] {
            return false;
        }
        left_ -= part;
        return true;
    }
    /// Returns the number of bytes that this part stands for, itself included, and begins an interval.
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
