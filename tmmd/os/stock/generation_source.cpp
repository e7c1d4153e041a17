// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/generation_source.hpp"

#include <algorithm>
#include <utility>

#include "tmmd/os/cgroup/cgroup_id.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/protection/cgroup_needs.hpp"

namespace tmm::os {

GenerationSource::GenerationSource(const RootDir& root, std::unique_ptr<LruGen> kernel, core::Pages installed,
                                   const core::AgeingPace& pace, std::function<core::Seconds()> cpu_time)
    : root_(&root), kernel_(std::move(kernel)), cpu_time_(std::move(cpu_time)), samples_(root, installed, pace) {}

Result<std::vector<core::Generations>> GenerationSource::read_opaque() {
    const auto text = kernel_->read();
    if (!text)
        return text.error();
    auto lists = core::parse_lru_gen(*text);
    if (lists)
        std::erase_if(*lists, [&](const core::Generations& list) { return is_below(list.cgroup, transparent_cgroups_); });
    return lists;
}

void GenerationSource::add_ids(std::vector<core::Generations>& lists) const {
    for (std::size_t i = 0; i < std::min(lists.size(), max_cgroups_with_needs); ++i)
        lists[i].id = cgroup_id_of(*root_, lists[i].cgroup);
}

Result<core::EpochSample> GenerationSource::sample() {
    const core::Seconds began = cpu_time_();
    const auto before = read_opaque();
    if (!before)
        return before.error();
    for (const core::Generations& list : *before) {
        auto aged = list.empty() ? Result<void>() : kernel_->age(list.memcg, list.node, list.youngest());
        if (!aged)
            return std::move(aged).error();
    }
    auto after = read_opaque();
    if (!after)
        return std::move(after).error();
    add_ids(*after);
    return samples_.end_epoch(tracker_.end_epoch(*before, *after), cpu_time_() - began, transparent_cgroups_);
}

std::string GenerationSource::description() const {
    return "the generations of the multi-gen LRU, at most every " +
           std::to_string(static_cast<long>(samples_.planned().count())) + " s, since no better source works here";
}

}  // namespace tmm::os
