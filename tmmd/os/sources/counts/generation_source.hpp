// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// GenerationSource: samples opaque memory by ageing the generations of the multi-gen LRU, through debugfs. The kernel's own order
// of pages gets finer by that. core/generations makes pages of the counts, each with its cgroup. Called from one thread.
//
// It differs from a scan of pages in four points. Pages unused for two epochs are one group, whose order is estimated. A page
// that another cgroup's process maps counts as unused. Of files that are only read with read(2), those that a program holds open
// are known as OpenFiles tells; others count as unused. A page that both classes use belongs to the class that it is charged to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/generations/ageing_pace.hpp"
#include "tmmd/core/generations/generation_flow.hpp"
#include "tmmd/core/generations/lru_gen_text.hpp"
#include "tmmd/core/generations/read_flow.hpp"
#include "tmmd/os/sources/counts/lru_gen_file.hpp"
#include "tmmd/os/sources/counts/pseudo_samples.hpp"
#include "tmmd/os/sources/files/known_files.hpp"
#include "tmmd/os/sources/sample_source.hpp"

namespace tmm::os {

class GenerationSource : public SampleSource {
public:
    // kernel: reads and ages the generations. installed: memory of the machine. pace: of the ageing calls. cpu_time: processor
    // time that this process has used, and that of files as soon as it is known. files: of FileKinds::open_and_mapped. root must
    // outlive it.
    GenerationSource(const RootDir& root, std::unique_ptr<LruGen> kernel, core::Pages installed, const core::AgeingPace& pace,
                     std::function<core::Seconds()> cpu_time, std::unique_ptr<OpenFiles> files);

    Result<core::EpochSample> sample() override;
    Result<core::EpochSample> poll_refaults() override { return samples_.poll_refaults(transparent_cgroups_); }
    [[nodiscard]] bool due(core::Seconds epoch) override { return samples_.due(epoch); }
    [[nodiscard]] bool prepare() override { return files_.prepare(transparent_cgroups_); }
    [[nodiscard]] bool has_failed() const override { return kernel_->has_failed(); }
    void follow(const std::vector<std::string>& transparent_cgroups) override { transparent_cgroups_ = transparent_cgroups; }
    // The kernel counts all pages.
    bool change_rate(int) override { return false; }
    [[nodiscard]] SourceTraits traits() const override { return {"mglru"}; }
    // Its own calls age the generations.
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] std::string problem() const override { return files_.problem(); }

private:
    [[nodiscard]] Result<std::vector<core::Generations>> read_opaque();

    const RootDir* root_;
    std::unique_ptr<LruGen> kernel_;
    std::function<core::Seconds()> cpu_time_;
    KnownFiles files_;
    core::GenerationTracker tracker_;
    core::ReadTracker reads_;
    PseudoSamples samples_;
    std::vector<std::string> transparent_cgroups_;
};

}  // namespace tmm::os
