// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/far_report.hpp"

#include "base/cgroups/far_bytes.hpp"

namespace tmm::far {

void FarReport::tell(Bytes now) {
    Bytes wanted = now;
    for (const auto& [cgroup, bytes] : told_)
        wanted.emplace(cgroup, 0);
    for (const auto& [cgroup, bytes] : wanted) {
        const auto told = told_.find(cgroup);
        if (told != told_.end() && told->second == bytes)
            continue;
        if (const auto folder = root_.subdir_without_links("sys/fs/cgroup" + cgroup))
            (void)set_far_bytes(*folder, bytes);
    }
    told_ = std::move(now);
}

}  // namespace tmm::far
