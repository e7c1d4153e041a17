// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MajorityVote: finds the stride that most of a thread's latest faults have, whatever noise lies between them. It is the rule of
// Leap (Maruf, Chowdhury, ATC'20, Algorithm 1): Boyer and Moore's majority over the latest 8 distances between faults, then over
// 16, then over 32. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "farmem/core/page.hpp"

namespace tmm::far {

class MajorityVote {
public:
    static constexpr std::size_t max_distances = 32;
    static constexpr std::size_t min_distances = 8;

    void fault(PageNumber page) {
        if (nr_faults_++ > 0)
            distances_[(nr_faults_ - 2) % max_distances] = static_cast<std::int64_t>(page - last_);
        last_ = page;
    }

    // Returns the distance that more than half of the latest faults have; none if no distance has.
    [[nodiscard]] std::optional<std::int64_t> stride() const {
        const std::size_t nr_known = nr_faults_ == 0 ? 0 : nr_faults_ - 1;
        for (std::size_t nr = min_distances; nr <= max_distances && nr <= nr_known; nr *= 2) {
            if (const auto found = majority_of_latest(nr); found && *found != 0)
                return found;
        }
        return {};
    }

private:
    [[nodiscard]] std::int64_t latest(std::size_t i) const { return distances_[(nr_faults_ - 2 - i) % max_distances]; }

    [[nodiscard]] std::optional<std::int64_t> majority_of_latest(std::size_t nr) const {
        std::int64_t candidate = 0;
        std::size_t votes = 0;
        for (std::size_t i = 0; i < nr; ++i) {
            if (votes == 0)
                candidate = latest(i);
            votes = latest(i) == candidate ? votes + 1 : votes - 1;
        }
        std::size_t count = 0;
        for (std::size_t i = 0; i < nr; ++i)
            count += latest(i) == candidate ? 1 : 0;
        return count > nr / 2 ? std::optional(candidate) : std::nullopt;
    }

    std::array<std::int64_t, max_distances> distances_{};
    std::size_t nr_faults_ = 0;
    PageNumber last_ = 0;
};

}  // namespace tmm::far
