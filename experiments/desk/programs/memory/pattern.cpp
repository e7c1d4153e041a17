// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "pattern.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tmm::desk {

void LoopPattern::next(std::size_t nr_pages, std::vector<PageIndex>& batch) {
    batch.clear();
    for (std::size_t i = 0; i < nr_pages; ++i) {
        batch.push_back(position_);
        position_ = position_ + 1 == nr_pages_ ? 0 : position_ + 1;
    }
}

void PhasesPattern::next(std::size_t nr_pages, std::vector<PageIndex>& batch) {
    batch.clear();
    for (std::size_t i = 0; i < nr_pages; ++i) {
        batch.push_back(position_);
        go_on();
    }
}

void PhasesPattern::go_on() {
    const PageIndex part_pages = nr_pages_ / nr_parts_;
    const PageIndex end = part_ + 1 == nr_parts_ ? nr_pages_ : (part_ + 1) * part_pages;
    if (++position_ < end)
        return;
    if (++round_ == nr_rounds_) {
        round_ = 0;
        part_ = part_ + 1 == nr_parts_ ? 0 : part_ + 1;
    }
    position_ = part_ * part_pages;
}

ZipfPattern::ZipfPattern(PageIndex nr_pages, double exponent, std::uint64_t seed)
    : page_of_rank_(nr_pages), random_(random_state_of_seed(seed)) {
    double sum = 0;
    cumulative_.reserve(nr_pages);
    std::vector<double> sums;
    for (PageIndex rank = 1; rank <= nr_pages; ++rank) {
        sum += std::pow(rank, -exponent);
        sums.push_back(sum);
    }
    for (const double partial : sums)
        cumulative_.push_back(static_cast<float>(partial / sum));

    std::iota(page_of_rank_.begin(), page_of_rank_.end(), PageIndex{0});
    for (PageIndex left = nr_pages; left > 1; --left) {
        random_ = next_random_state(random_);
        std::swap(page_of_rank_[left - 1], page_of_rank_[random_number(random_) % left]);
    }
}

void ZipfPattern::next(std::size_t nr_pages, std::vector<PageIndex>& batch) {
    batch.clear();
    for (std::size_t i = 0; i < nr_pages; ++i) {
        random_ = next_random_state(random_);
        const double uniform = static_cast<double>(random_number(random_) >> 11) * 0x1p-53;
        const auto rank = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, uniform) - cumulative_.begin();
        batch.push_back(page_of_rank_[static_cast<std::size_t>(rank)]);
    }
}

std::uint64_t next_random_state(std::uint64_t state) {
    state ^= state >> 12;
    state ^= state << 25;
    return state ^ (state >> 27);
}

std::uint64_t random_number(std::uint64_t state) {
    return state * 0x2545F4914F6CDD1DULL;
}

std::uint64_t random_state_of_seed(std::uint64_t seed) {
    // The golden ratio's bits spread small seeds; 0 is the one state that xorshift never leaves.
    const std::uint64_t state = (seed + 1) * 0x9E3779B97F4A7C15ULL;
    return state ? state : 1;
}

}  // namespace tmm::desk
