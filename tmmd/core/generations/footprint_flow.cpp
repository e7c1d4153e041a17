// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/footprint_flow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tmm::core {

namespace {

PageFlow flow_of_new(Pages resident, Pages referenced) {
    PageFlow flow;
    flow.came = referenced;
    flow.came_old = resident - referenced;
    return flow;
}

// Returns the share of gone pages that were recent.
Pages recent_of(Pages gone, Pages recent, Pages resident) {
    return resident == Pages(0) ? Pages(0) : Pages(std::llround(gone.as_double() * ratio(recent, resident)));
}

}  // namespace

void take_read_files(std::map<CgroupId, Footprint>& footprints, const ReadFilesByCgroup& files) {
    constexpr auto index = static_cast<std::size_t>(Backing::file);
    for (const auto& [cgroup, read] : files) {
        const auto found = footprints.find(cgroup);
        if (found == footprints.end())
            continue;
        Footprint& footprint = found->second;
        const Pages taken = std::min(read.cached, saturating_sub(footprint.resident[index], footprint.referenced[index]));
        footprint.resident[index] = footprint.resident[index] - taken;
        footprint.read = {taken, std::min(read.used, taken)};
    }
}

// The groups' pages at the end are resident, so the flow never exceeds what there is.
PageFlow FootprintTracker::flow_of(Pages resident, Pages referenced, Group& group) const {
    PageFlow flow;
    const Pages grown = saturating_sub(referenced, group.referenced);
    const Pages came = saturating_sub(resident, group.resident);
    const Pages gone = saturating_sub(group.resident, resident);
    // A page that was only read ahead was not used.
    flow.came = std::min(came, grown);
    flow.came_old = came - flow.came;
    flow.gone_recent = std::min(recent_of(gone, group.recent, group.resident), group.recent);
    flow.gone_old = gone - flow.gone_recent;
    const Pages recent = group.recent - flow.gone_recent;
    const Pages old = saturating_sub(group.resident - gone, recent);
    const Pages used = std::min(grown - flow.came, recent + old);
    if (epochs_ == 0) {
        flow.used_old = std::min({std::max(group.growth, saturating_sub(used, recent)), used, old});
        flow.used_recent = used - flow.used_old;
        group.used = used;
    } else {
        flow.used_old = std::min(used, old);
        flow.used_recent = std::min(saturating_sub(group.used, flow.used_old), recent);
        if (epochs_ == 1)
            group.growth = flow.used_old;
    }
    flow.used_recent = std::min(flow.used_recent, recent);
    return flow;
}

FlowByCgroup FootprintTracker::end_epoch(const std::map<CgroupId, Footprint>& footprints) {
    FlowByCgroup flows;
    std::map<CgroupId, std::array<Group, nr_backings>> groups;
    for (const auto& [cgroup, footprint] : footprints) {
        const auto known = groups_.find(cgroup);
        std::array<Group, nr_backings> next{};
        for (std::size_t i = 0; i < nr_backings; ++i) {
            const Pages resident = footprint.resident[i];
            const Pages referenced = std::min(footprint.referenced[i], resident);
            PageFlow flow;
            if (known != groups_.end()) {
                next[i] = known->second[i];
                flow = flow_of(resident, referenced, next[i]);
            } else {
                flow = flow_of_new(resident, referenced);
                next[i].used = flow.came;
            }
            flows[cgroup][i] = flow;
            next[i].resident = resident;
            next[i].referenced = referenced;
            next[i].recent = flow.used_recent + flow.used_old + flow.came;
        }
        groups[cgroup] = next;
    }
    groups_ = std::move(groups);
    ++epochs_;
    return flows;
}

void FootprintTracker::cleared() {
    epochs_ = 0;
    is_cleared_ = true;
    for (auto& [cgroup, groups] : groups_) {
        for (Group& group : groups)
            group.referenced = Pages(0);
    }
}

}  // namespace tmm::core
