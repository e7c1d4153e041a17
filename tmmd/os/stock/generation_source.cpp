// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/generation_source.hpp"

#include <utility>

#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

GenerationSource::GenerationSource(const RootDir& root, std::unique_ptr<LruGen> kernel, core::Pages installed,
                                   const core::AgeingPace& pace, std::function<core::Seconds()> cpu_time,
                                   std::unique_ptr<OpenFiles> files)
    : root_(&root),
      kernel_(std::move(kernel)),
      cpu_time_(std::move(cpu_time)),
      files_(std::move(files)),
      samples_(root, installed, pace) {}

bool GenerationSource::prepare() {
    const core::Seconds began = cpu_time_();
    const bool is_ready = files_->prepare(transparent_cgroups_);
    prepared_ += cpu_time_() - began;
    return is_ready;
}

void GenerationSource::look_at_files() {
    auto files = files_->read(transparent_cgroups_);
    problem_ = files ? "" : "files that programs read by read(2) count as unused: " + files.error().message();
    if (files) {
        read_files_ = *std::move(files);
        return;
    }
    for (auto& [cgroup, unknown] : read_files_)
        unknown.used = core::Pages(0);
}

Result<std::vector<core::Generations>> GenerationSource::read_opaque() {
    auto lists = read_generations(*kernel_);
    if (lists)
        std::erase_if(*lists, [&](const core::Generations& list) { return is_below(list.cgroup, transparent_cgroups_); });
    return lists;
}

Result<core::EpochSample> GenerationSource::sample() {
    const core::Seconds began = cpu_time_();
    auto before = read_opaque();
    if (!before)
        return std::move(before).error();
    for (const core::Generations& list : *before) {
        auto aged = list.empty() ? Result<void>() : kernel_->age(list.memcg, list.node, list.youngest());
        if (!aged)
            return std::move(aged).error();
    }
    auto after = read_opaque();
    if (!after)
        return std::move(after).error();
    add_cgroup_ids(*root_, *after);
    look_at_files();
    core::take_read_files(*after, read_files_);
    if (!read_files_.empty()) {
        core::ReadFilesByCgroup then = read_files_;
        add_cgroup_ids(*root_, *before);
        core::take_read_files(*before, then);
    }
    core::FlowByCgroup flows = tracker_.end_epoch(*before, *after);
    reads_.end_epoch(read_files_, flows);
    const core::Seconds cost = std::exchange(prepared_, core::Seconds(0)) + cpu_time_() - began;
    return samples_.end_epoch(std::move(flows), cost, transparent_cgroups_);
}

std::string GenerationSource::description() const {
    return "the generations of the multi-gen LRU, at most every " +
           std::to_string(static_cast<long>(samples_.planned().count())) + " s, since no better source works here";
}

}  // namespace tmm::os
