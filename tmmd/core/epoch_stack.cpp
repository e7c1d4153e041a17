// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/epoch_stack.hpp"

#include <numeric>

namespace tmm::core {

namespace {

struct Touched {
    Pages pages = 0;
    std::uint64_t samples = 0;
};

}  // namespace

void EpochStack::forget(std::span<const PageKey> gone) {
    for (const PageKey key : gone) {
        const auto page = known_.find(key);
        if (page == known_.end())
            continue;
        last_used_in_[page->second.last_epoch] -= page->second.weight;
        known_pages_ -= page->second.weight;
        known_.erase(page);
    }
}

void EpochStack::end_epoch(std::span<const SampledPage> referenced, std::span<const PageKey> gone, LruHistogram& histogram) {
    forget(gone);
    if (last_used_in_.size() >= max_epochs)
        merge_old_epochs();

    const std::size_t nr_epochs = last_used_in_.size();
    const auto this_epoch = static_cast<std::uint32_t>(nr_epochs);
    Pages used_now = 0;

    // Of the pages last used in each epoch, those touched again in this one; and how much is new.
    std::vector<Touched> touched_of(nr_epochs);
    Pages new_pages = 0;
    for (const SampledPage& page : referenced) {
        const auto [entry, is_new] = known_.try_emplace(page.key, Known{this_epoch, 0});
        Known& known = entry->second;
        if (is_new) {
            new_pages += page.weight;
        } else if (known.last_epoch == this_epoch) {
            continue;  // listed twice
        } else {
            touched_of[known.last_epoch].pages += known.weight;
            ++touched_of[known.last_epoch].samples;
            known_pages_ -= known.weight;
        }
        known = {this_epoch, page.weight};
        known_pages_ += page.weight;
        used_now += page.weight;
    }

    // All pages last used in the same epoch have the same interval; it goes into the histogram once for all of them.
    Pages used_after = std::accumulate(last_used_in_.begin(), last_used_in_.end(), Pages{0});
    Pages touched_before = new_pages;
    for (std::size_t epoch = 0; epoch < nr_epochs; ++epoch) {
        used_after -= last_used_in_[epoch];
        const Touched touched = touched_of[epoch];
        if (touched.samples == 0)
            continue;
        const auto own = static_cast<double>(touched.pages) / static_cast<double>(touched.samples);
        const auto m = static_cast<double>(used_after);
        const auto a = static_cast<double>(last_used_in_[epoch] - touched.pages);
        const auto b = static_cast<double>(touched_before);
        const auto c = static_cast<double>(touched.pages) - own;
        // From M + c/2 on, so that the mean of the interval is the expectation.
        histogram.add(m + c / 2, m + a + b + c, static_cast<double>(touched.pages));
        touched_before += touched.pages;
        last_used_in_[epoch] -= touched.pages;
    }
    last_used_in_.push_back(used_now);
}

void EpochStack::merge_old_epochs() {
    const std::size_t nr_epochs = last_used_in_.size();
    const std::size_t old_epochs = nr_epochs / 2;
    std::vector<std::uint32_t> new_epoch_of(nr_epochs);
    for (std::size_t epoch = 0; epoch < nr_epochs; ++epoch)
        new_epoch_of[epoch] =
            static_cast<std::uint32_t>(epoch < old_epochs ? epoch / 2 : epoch - (old_epochs - (old_epochs + 1) / 2));
    std::vector<Pages> merged(new_epoch_of.back() + 1, 0);
    for (std::size_t epoch = 0; epoch < nr_epochs; ++epoch)
        merged[new_epoch_of[epoch]] += last_used_in_[epoch];
    last_used_in_ = std::move(merged);
    for (auto& [key, page] : known_)
        page.last_epoch = new_epoch_of[page.last_epoch];
}

}  // namespace tmm::core
