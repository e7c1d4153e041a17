// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// UnmappedFilesSource: adds the cached files that no process maps to the samples of a source that does not see them, or not their
// use by read(2). It knows counts of pages for each cgroup: those of files that programs hold open, with their uses
// (ReadTracker), and all others, of which no use is known. core/generations makes pages of the counts. Called from one thread.
//
// It looks every 10 s, or more seldom if that costs too much. The first look comes after 10 s, too.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tmmd/core/generations/ageing_pace.hpp"
#include "tmmd/core/generations/pseudo_pages.hpp"
#include "tmmd/core/generations/read_flow.hpp"
#include "tmmd/os/sources/files/known_files.hpp"
#include "tmmd/os/sources/sample_source.hpp"

namespace tmm::os {

class UnmappedFilesSource : public SampleSource {
public:
    // mapped: the other source; its keys are below 2^63. files: of FileKinds::unmapped. installed: memory of the machine. pace:
    // of looks at the files.
    UnmappedFilesSource(std::unique_ptr<SampleSource> mapped, KnownFiles files, core::Pages installed,
                        const core::AgeingPace& pace);

    Result<core::EpochSample> sample() override;
    Result<core::EpochSample> poll_refaults() override;
    [[nodiscard]] bool due(core::Seconds epoch) override;
    [[nodiscard]] bool prepare() override;
    [[nodiscard]] bool has_failed() const override { return mapped_->has_failed(); }
    void follow(const std::vector<std::string>& transparent_cgroups) override;
    bool change_rate(int change) override;
    void keep(std::span<const core::CgroupKeeps> kept, core::Seconds attended) override { mapped_->keep(kept, attended); }
    [[nodiscard]] SourceTraits traits() const override { return mapped_->traits(); }
    [[nodiscard]] std::string description() const override { return mapped_->description(); }
    [[nodiscard]] std::string problem() const override;

private:
    // Forgets all pages, which come anew at the next look.
    void restart();
    void add_files(core::EpochSample& sample);

    std::unique_ptr<SampleSource> mapped_;
    KnownFiles files_;
    core::Pages installed_;
    core::AgeingPace pace_;
    core::ReadTracker open_{core::PageList::read};
    core::ReadTracker others_{core::PageList::file};
    core::PseudoPages pages_;
    std::vector<std::string> transparent_cgroups_;
    core::Seconds epoch_{0};       // as of the last call of due()
    core::Seconds since_look_{0};  // the epochs that ended since
    core::Pages evicted_{0};       // opaque pages, since the last look
    bool is_due_ = false;          // the next sample looks
};

}  // namespace tmm::os
