// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/frames/frame_sample_source.hpp"

#include <linux/tmm.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace tmm::os {

namespace {

constexpr std::uint64_t max_samples = 32768;
constexpr std::uint32_t max_shift = 12;  // the kernel's maximum

// Of a page's key, below the number of its frame.
constexpr int tag_bits = 16;

// A unit is at least 1/1024 of memory, so these units include all distances within memory.
constexpr std::size_t units_within_memory = TMM_REFAULT_BUCKETS / 4;

}  // namespace

std::uint32_t sample_shift_for(core::Pages installed) {
    // Rounded up: memory is a little less than a power of two, and a rate twice as high would cost twice as much.
    const std::uint64_t more_than_a_sample = (std::max<std::uint64_t>(installed.count(), 1) - 1) / max_samples;
    return std::min(static_cast<std::uint32_t>(std::bit_width(more_than_a_sample)), max_shift);
}

std::vector<core::ScannedPage> opaque_pages(std::span<const std::uint64_t> words, std::uint32_t shift) {
    std::vector<core::ScannedPage> pages;
    pages.reserve(words.size());
    for (const std::uint64_t word : words) {
        const bool transparent = (word & TMM_FRAME_CLASS) != 0 && (word & TMM_FRAME_SHARED) == 0;
        if (transparent)
            continue;
        // The key has frame and tag together: a frame that holds another page has another key. The frame comes first, so that
        // keys are in the order of the scan.
        const core::PageKey key = TMM_FRAME_PFN(word) << tag_bits | TMM_FRAME_TAG(word);
        // Every scan meets a folio of at least a block, which stands for itself; a smaller one stands for its block.
        const auto order = static_cast<std::uint32_t>(TMM_FRAME_ORDER(word));
        pages.push_back({key, 1U << std::max(shift, order), (word & TMM_FRAME_REF) != 0,
                         (word & TMM_FRAME_FILE) != 0 ? core::Backing::file : core::Backing::anonymous});
    }
    return pages;
}

std::vector<core::Refault> refaults_of(const RefaultCounts& counts) {
    std::vector<core::Refault> refaults;
    const auto some = [](std::uint64_t pages) { return pages > 0; };
    const auto begin = counts.counts.begin();
    const auto end = counts.counts.end();
    for (auto count = std::find_if(begin, end, some); count != end; count = std::find_if(count + 1, end, some)) {
        const auto unit = count - begin;
        refaults.push_back({unit * counts.unit, (unit + 1) * counts.unit, core::Pages(*count)});
    }
    return refaults;
}

Result<core::EpochSample> FrameSampleSource::sample() {
    const auto words = scanner_->scan(shift_, seed_);
    if (!words)
        return words.error();
    const auto counts = scanner_->poll_refaults(TMM_REFAULT_BUCKETS);
    if (!counts)
        return counts.error();
    core::EpochSample sample = resident_.update(opaque_pages(*words, shift_));
    add_cgroups(sample.referenced);
    add_counts(*counts, sample);
    return sample;
}

Result<core::EpochSample> FrameSampleSource::poll_refaults() {
    const auto counts = scanner_->poll_refaults(units_within_memory);
    if (!counts)
        return counts.error();
    core::EpochSample sample;
    sample.scanned = false;
    add_counts(*counts, sample);
    return sample;
}

void FrameSampleSource::add_counts(const RefaultCounts& counts, core::EpochSample& sample) {
    sample.refaults = refaults_of(counts);
    const std::uint64_t before = std::exchange(evictions_, counts.evictions).value_or(counts.evictions);
    sample.evicted = core::Pages(counts.evictions - before);
}

// Asks about each page at each use: a page that two cgroups use may be charged to the other one now.
void FrameSampleSource::add_cgroups(std::vector<core::SampledPage>& pages) {
    if (!cgroups_)
        return;
    std::vector<std::uint64_t> pfns(pages.size());
    std::transform(pages.begin(), pages.end(), pfns.begin(), [](const core::SampledPage& page) { return page.key >> tag_bits; });
    const auto found = cgroups_->look_up(pfns);
    problem_ = found ? "" : found.error().message();
    for (std::size_t i = 0; found && i < pages.size(); ++i)
        pages[i].cgroup = (*found)[i];
}

// Has the kernel sort the pages of the cgroups that keep some, so that they keep the right ones. It does so without
// contributions as well: when one comes, it is too late.
void FrameSampleSource::keep(std::span<const core::CgroupKeeps> kept, core::Seconds attended) {
    const std::vector<core::CgroupId> due = sort_pace_.take_due(kept, attended);
    if (due.empty())
        return;
    // The multi-gen LRU may have been switched on, or debugfs mounted, since the last time.
    if (!sorter_)
        sorter_ = open_sorter_();
    if (!sorter_)
        return;
    const auto sorted = sorter_->sort(due);
    sort_problem_ = sorted ? "" : sorted.error().message() + "; programs in use may lose memory before others of their cgroup";
}

bool FrameSampleSource::change_rate(int change) {
    shift_ = static_cast<std::uint32_t>(std::clamp(static_cast<int>(shift_) + change, 0, static_cast<int>(max_shift)));
    resident_ = core::ResidentSet();
    return true;
}

std::string FrameSampleSource::description() const {
    return std::string(scanner_->name()) + ", one page in " + std::to_string(1U << shift_) +
           (cgroups_ ? "" : " (their cgroups are unknown)") + ", since " + std::string(scanner_->reason());
}

}  // namespace tmm::os
