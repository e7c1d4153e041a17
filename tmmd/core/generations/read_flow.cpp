// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/read_flow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tmm::core {

namespace {

constexpr auto file_index = static_cast<std::size_t>(PageList::file);

Pages in_proportion(Pages pages, Pages part, Pages whole) {
    return whole == Pages(0) ? Pages(0) : Pages(std::llround(pages.as_double() * ratio(part, whole)));
}

}  // namespace

ReadFiles& ReadFiles::operator+=(const ReadFiles& more) {
    cached += more.cached;
    used += more.used;
    others += more.others;
    return *this;
}

Pages expected_used(Pages pages, std::uint64_t uses) {
    if (pages == Pages(0))
        return Pages(0);
    return Pages(std::llround(-pages.as_double() * std::expm1(-static_cast<double>(uses) / pages.as_double())));
}

void take_read_files(std::span<Generations> lists, ReadFilesByCgroup& read) {
    for (auto& [cgroup, files] : read) {
        Pages left = files.cached;
        for (Generations& list : lists) {
            if (list.id != cgroup)
                continue;
            for (PagesByBacking& generation : list.pages) {
                const Pages taken = std::min(left, generation[file_index]);
                generation[file_index] = generation[file_index] - taken;
                left = left - taken;
            }
        }
        files.cached = files.cached - left;
        files.used = std::min(files.used, files.cached);
    }
}

ReadFilesByCgroup others_of(const ReadFilesByCgroup& files) {
    ReadFilesByCgroup others;
    for (const auto& [cgroup, one] : files)
        others[cgroup].cached = one.others;
    return others;
}

PageFlow ReadTracker::flow_of(const ReadFiles& files, const Group& group) {
    PageFlow flow;
    const Pages came = saturating_sub(files.cached, group.cached);
    const Pages gone = saturating_sub(group.cached, files.cached);
    flow.gone_recent = std::min(in_proportion(gone, group.recent, group.cached), group.recent);
    flow.gone_old = gone - flow.gone_recent;
    const Pages kept = group.cached - gone;
    const Pages recent = group.recent - flow.gone_recent;
    // What came was read just now. The uses beyond are of pages that were there.
    flow.came = came;
    const Pages used = std::min(files.used, kept);
    flow.used_recent = std::min(in_proportion(used, recent, kept), recent);
    flow.used_old = std::min(used - flow.used_recent, kept - recent);
    return flow;
}

void ReadTracker::end_epoch(const ReadFilesByCgroup& files, FlowByCgroup& flows) {
    std::map<CgroupId, Group> groups;
    for (const auto& [cgroup, now] : files) {
        const auto known = groups_.find(cgroup);
        const PageFlow flow = flow_of(now, known == groups_.end() ? Group{} : known->second);
        flows[cgroup][list_] = flow;
        groups[cgroup] = {now.cached, flow.used_recent + flow.used_old + flow.came};
        if (known != groups_.end())
            groups_.erase(known);
    }
    // Those of cgroups without any list are gone with them.
    for (const auto& [cgroup, group] : groups_) {
        const auto flow = flows.find(cgroup);
        if (flow != flows.end())
            flow->second[list_] = flow_of({}, group);
    }
    groups_ = std::move(groups);
}

}  // namespace tmm::core
