// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/tmm_sample_source.hpp"

#include <linux/tmm.h>

#include <algorithm>
#include <bit>

namespace tmm::os {

namespace {

constexpr core::Pages wanted_samples = 32768;
constexpr std::uint32_t largest_shift = 12;  // what the kernel takes

}  // namespace

std::uint32_t sample_shift_for(core::Pages installed) {
    const core::Pages pages_per_sample = std::max<core::Pages>(installed / wanted_samples, 1);
    return std::min(static_cast<std::uint32_t>(std::bit_width(pages_per_sample) - 1), largest_shift);
}

std::vector<core::ScannedPage> opaque_pages(std::span<const std::uint64_t> words, std::uint32_t shift) {
    std::vector<core::ScannedPage> pages;
    pages.reserve(words.size());
    for (const std::uint64_t word : words) {
        const bool transparent = (word & TMM_FRAME_CLASS) != 0 && (word & TMM_FRAME_SHARED) == 0;
        if (transparent)
            continue;
        // Frame and tag together: a frame that holds another page now has another key.
        const core::PageKey key = TMM_FRAME_PFN(word) | TMM_FRAME_TAG(word) << 36;
        // A folio of at least a block is met in any case and stands for itself; a smaller one stands for its block.
        const auto order = static_cast<std::uint32_t>(TMM_FRAME_ORDER(word));
        pages.push_back({key, 1U << std::max(shift, order), (word & TMM_FRAME_REF) != 0,
                         (word & TMM_FRAME_FILE) != 0 ? core::Backing::file : core::Backing::anonymous});
    }
    return pages;
}

std::vector<core::Refault> refaults_of(const RefaultCounts& counts) {
    std::vector<core::Refault> refaults;
    for (std::size_t unit = 0; unit < counts.counts.size(); ++unit) {
        if (counts.counts[unit] > 0)
            refaults.push_back({unit * counts.unit_pages, (unit + 1) * counts.unit_pages, counts.counts[unit]});
    }
    return refaults;
}

Result<core::EpochSample> TmmSampleSource::sample() {
    const auto words = scanner_->scan(shift_, seed_);
    if (!words)
        return words.error();
    auto refaults = look();
    if (!refaults)
        return refaults;
    core::EpochSample sample = resident_.update(opaque_pages(*words, shift_));
    sample.refaults = std::move(refaults->refaults);
    return sample;
}

Result<core::EpochSample> TmmSampleSource::look() {
    const auto counts = scanner_->take_refaults();
    if (!counts)
        return counts.error();
    core::EpochSample sample;
    sample.scanned = false;
    sample.refaults = refaults_of(*counts);
    return sample;
}

void TmmSampleSource::change_rate(int change) {
    shift_ = static_cast<std::uint32_t>(std::clamp(static_cast<int>(shift_) + change, 0, static_cast<int>(largest_shift)));
    resident_ = core::ResidentSet();
}

std::string TmmSampleSource::description() const {
    return "/dev/tmm, one page in " + std::to_string(1U << shift_) + ", since the kernel has the TMM patches";
}

}  // namespace tmm::os
