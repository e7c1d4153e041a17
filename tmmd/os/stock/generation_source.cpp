// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/generation_source.hpp"

#include <algorithm>
#include <utility>

#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/tmm/frame_sample_source.hpp"

namespace tmm::os {

namespace {

// More samples than the policy needs at least (core::EpochPace); the kernel counts pages one by one anyway.
constexpr std::uint64_t max_pseudo_pages = 16384;

// cgroup: as the kernel shows it, such as "/user.slice".
bool is_below_any(const std::string& cgroup, const std::vector<std::string>& transparent_cgroups) {
    const std::string path = cgroup_mount + cgroup;
    return std::any_of(transparent_cgroups.begin(), transparent_cgroups.end(),
                       [&](const std::string& one) { return path == one || path.starts_with(one + "/"); });
}

}  // namespace

GenerationSource::GenerationSource(const RootDir& root, std::unique_ptr<LruGen> kernel, core::Pages installed,
                                   const core::AgeingPace& pace, std::function<core::Seconds()> cpu_time)
    : kernel_(std::move(kernel)),
      cpu_time_(std::move(cpu_time)),
      pages_(static_cast<std::uint32_t>(std::max<std::uint64_t>(installed.count(), 1) / max_pseudo_pages + 1)),
      pace_(pace),
      counters_(root) {}

Result<std::vector<core::Generations>> GenerationSource::read_opaque() {
    const auto text = kernel_->read();
    if (!text)
        return text.error();
    auto lists = core::parse_lru_gen(*text);
    if (lists)
        std::erase_if(*lists, [&](const core::Generations& list) { return is_below_any(list.cgroup, transparent_cgroups_); });
    return lists;
}

bool GenerationSource::due(core::Seconds epoch) {
    epoch_ = epoch;
    return pace_.due(epoch);
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
    const auto after = read_opaque();
    if (!after)
        return after.error();
    const core::Seconds cost = cpu_time_() - began;

    core::EpochSample counted;
    auto added = add_counts(counted);
    if (!added)
        return std::move(added).error();
    core::GenerationFlow flow = tracker_.end_epoch(*before, *after);
    const core::Seconds length = std::exchange(epoch_, core::Seconds(0));
    core::Pages used_old{0};
    for (const core::PageFlow& one : flow)
        used_old += one.used_old;
    pace_.epoch_ended(length, used_old, cost);
    if (!pace_.settled())
        std::transform(flow.begin(), flow.end(), flow.begin(), core::without_old_uses);
    core::EpochSample sample = pages_.end_epoch(flow, std::exchange(evicted_, core::Pages(0)), length);
    sample.refaults = std::move(counted.refaults);
    sample.evicted = counted.evicted;
    return sample;
}

Result<core::EpochSample> GenerationSource::poll_refaults() {
    core::EpochSample sample;
    sample.scanned = false;
    auto added = add_counts(sample);
    if (!added)
        return std::move(added).error();
    return sample;
}

Result<void> GenerationSource::add_counts(core::EpochSample& sample) {
    const auto counts = counters_.poll(transparent_cgroups_);
    if (!counts)
        return counts.error();
    sample.refaults = refaults_of(*counts);
    const std::uint64_t before = std::exchange(evictions_, counts->evictions).value_or(counts->evictions);
    sample.evicted = core::Pages(counts->evictions - before);
    evicted_ += *sample.evicted;
    return {};
}

std::string GenerationSource::description() const {
    return "the generations of the multi-gen LRU, at most every " + std::to_string(static_cast<long>(pace_.planned().count())) +
           " s, since no better source works here";
}

}  // namespace tmm::os
