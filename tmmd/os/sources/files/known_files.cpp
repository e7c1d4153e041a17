// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/files/known_files.hpp"

namespace tmm::os {

bool KnownFiles::prepare(const std::vector<std::string>& transparent_cgroups) {
    const core::Seconds began = cpu_time_();
    const bool is_ready = files_->prepare(transparent_cgroups);
    cost_ += cpu_time_() - began;
    return is_ready;
}

const core::ReadFilesByCgroup& KnownFiles::look(const std::vector<std::string>& transparent_cgroups) {
    const core::Seconds began = cpu_time_();
    auto files = files_->read(transparent_cgroups);
    cost_ += cpu_time_() - began;
    problem_ = files ? "" : "files that programs read by read(2) count as unused: " + files.error().message();
    if (files) {
        known_ = *std::move(files);
        return known_;
    }
    for (auto& [cgroup, unknown] : known_)
        unknown.used = core::Pages(0);
    return known_;
}

}  // namespace tmm::os
