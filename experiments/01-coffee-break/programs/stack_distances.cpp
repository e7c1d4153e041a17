// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "stack_distances.hpp"

#include <algorithm>
#include <numeric>

namespace tmm::coffee {

// Twice the pages: numbering anew, which takes n log n, is due after n touches at the earliest.
StackDistances::StackDistances(PageIndex nr_pages) : tree_(2 * std::size_t{nr_pages} + 1, 0), time_of_page_(nr_pages, 0) {}

std::optional<PageIndex> StackDistances::touch(PageIndex page) {
    if (now_ + 1 == tree_.size())
        renumber();
    std::optional<PageIndex> distance;
    if (const std::uint32_t last = time_of_page_[page]; last != 0) {
        distance = marked_ - marks_until(last);
        mark(last, -1);
    }
    mark(++now_, 1);
    time_of_page_[page] = static_cast<std::uint32_t>(now_);
    return distance;
}

void StackDistances::mark(std::size_t time, std::int32_t change) {
    marked_ += static_cast<std::uint32_t>(change);
    for (; time < tree_.size(); time += time & -time)
        tree_[time] += static_cast<std::uint32_t>(change);
}

std::uint32_t StackDistances::marks_until(std::size_t time) const {
    std::uint32_t sum = 0;
    for (; time > 0; time -= time & -time)
        sum += tree_[time];
    return sum;
}

void StackDistances::renumber() {
    std::vector<PageIndex> pages(time_of_page_.size());
    std::iota(pages.begin(), pages.end(), PageIndex{0});
    std::erase_if(pages, [this](PageIndex page) { return time_of_page_[page] == 0; });
    std::sort(pages.begin(), pages.end(), [this](PageIndex a, PageIndex b) { return time_of_page_[a] < time_of_page_[b]; });
    std::fill(tree_.begin(), tree_.end(), 0);
    now_ = 0;
    marked_ = 0;
    for (const PageIndex page : pages) {
        mark(++now_, 1);
        time_of_page_[page] = static_cast<std::uint32_t>(now_);
    }
}

std::vector<MissCurve::Step> MissCurve::steps() const {
    std::uint64_t misses = std::accumulate(touches_at_.begin(), touches_at_.end(), std::uint64_t{0});
    std::vector<Step> steps{{0, misses}};
    for (PageIndex distance = 0; distance < touches_at_.size(); ++distance) {
        if (touches_at_[distance] == 0)
            continue;
        misses -= touches_at_[distance];
        steps.push_back({distance + 1, misses});
    }
    return steps;
}

}  // namespace tmm::coffee
