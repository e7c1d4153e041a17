// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/counts/generation_source.hpp"

#include <utility>

#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

GenerationSource::GenerationSource(const RootDir& root, std::unique_ptr<LruGen> kernel, core::Pages installed,
                                   const core::AgeingPace& pace, std::function<core::Seconds()> cpu_time,
                                   std::unique_ptr<OpenFiles> files)
    : root_(&root),
      kernel_(std::move(kernel)),
      cpu_time_(cpu_time),
      files_(std::move(files), std::move(cpu_time)),
      samples_(root, installed, pace) {}

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
    core::Seconds cost = cpu_time_() - began;
    core::ReadFilesByCgroup files = files_.look(transparent_cgroups_);
    cost += files_.take_cost();
    core::take_read_files(*after, files);
    if (!files.empty()) {
        core::ReadFilesByCgroup then = files;
        add_cgroup_ids(*root_, *before);
        core::take_read_files(*before, then);
    }
    core::FlowByCgroup flows = tracker_.end_epoch(*before, *after);
    reads_.end_epoch(files, flows);
    return samples_.end_epoch(std::move(flows), cost, transparent_cgroups_);
}

std::string GenerationSource::description() const {
    return "the generations of the multi-gen LRU, at most every " +
           std::to_string(static_cast<long>(samples_.planned().count())) + " s, since no better source works here";
}

}  // namespace tmm::os
