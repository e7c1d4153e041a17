// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FrameSampleSource: samples opaque memory with a scanner of frames, one page in 2^shift. It leaves out pages that only
// transparent processes use; pages that both use count as opaque, if the scanner knows them. Called from one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tmmd/core/histogram/resident_set.hpp"
#include "tmmd/core/protection/sort_pace.hpp"
#include "tmmd/os/cgroup/page_cgroups.hpp"
#include "tmmd/os/sources/frames/frame_scanner.hpp"
#include "tmmd/os/sources/page_sorter.hpp"
#include "tmmd/os/sources/sample_source.hpp"

namespace tmm::os {

// Returns the smallest shift that samples at most 32,768 pages: more than half as many, at least 16 for each of the histogram's
// 1024 steps. installed: memory of the machine. Pure.
std::uint32_t sample_shift_for(core::Pages installed);

// Returns the opaque pages among the words of a scan. shift: that of the scan. Pure.
std::vector<core::ScannedPage> opaque_pages(std::span<const std::uint64_t> words, std::uint32_t shift);

// Converts the counts to distances. Pure.
std::vector<core::Refault> refaults_of(const RefaultCounts& counts);

class FrameSampleSource : public SampleSource {
public:
    // Opens a sorter of pages; none: the kernel cannot be asked to sort yet.
    using OpenSorter = std::function<std::unique_ptr<PageSorter>()>;

    // cgroups: none if nobody can tell the cgroups of pages.
    FrameSampleSource(
        std::unique_ptr<FrameScanner> scanner, std::uint32_t shift, std::uint64_t seed,
        std::optional<PageCgroups> cgroups = std::nullopt, OpenSorter open_sorter = [] { return nullptr; })
        : scanner_(std::move(scanner)),
          shift_(shift),
          seed_(seed),
          cgroups_(std::move(cgroups)),
          open_sorter_(std::move(open_sorter)) {}

    Result<core::EpochSample> sample() override;
    Result<core::EpochSample> poll_refaults() override;
    void follow(const std::vector<std::string>& transparent_cgroups) override { scanner_->follow(transparent_cgroups); }
    bool change_rate(int change) override;
    void keep(std::span<const core::CgroupKeeps> kept, core::Seconds attended) override;
    [[nodiscard]] SourceTraits traits() const override { return {scanner_->id()}; }
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] std::string problem() const override { return problem_.empty() ? sort_problem_ : problem_; }

private:
    void add_cgroups(std::vector<core::SampledPage>& pages);
    // Adds the refaults, and the evictions since the last call; none at the first.
    void add_counts(const RefaultCounts& counts, core::EpochSample& sample);

    std::unique_ptr<FrameScanner> scanner_;
    std::uint32_t shift_;
    std::uint64_t seed_;  // the same for all scans, which therefore sample the same pages
    std::optional<PageCgroups> cgroups_;
    OpenSorter open_sorter_;
    std::unique_ptr<PageSorter> sorter_;
    core::SortPace sort_pace_;
    std::string problem_;
    std::string sort_problem_;
    core::ResidentSet resident_;
    std::optional<std::uint64_t> evictions_;  // as of the last call
};

}  // namespace tmm::os
