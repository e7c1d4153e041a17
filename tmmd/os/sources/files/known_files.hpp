// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// KnownFiles: what is known of open files, as OpenFiles tells it. If it does not, the files known before stay, and none of them
// counts as used. Called from one thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tmmd/core/generations/read_flow.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/sources/files/open_files.hpp"

namespace tmm::os {

class KnownFiles {
public:
    // cpu_time: processor time that this process has used, and that of files as soon as it is known.
    KnownFiles(std::unique_ptr<OpenFiles> files, std::function<core::Seconds()> cpu_time)
        : files_(std::move(files)), cpu_time_(std::move(cpu_time)) {}

    // As of OpenFiles.
    bool prepare(const std::vector<std::string>& transparent_cgroups);
    // Looks at the files. The result is valid until the next call.
    const core::ReadFilesByCgroup& look(const std::vector<std::string>& transparent_cgroups);

    // Returns why they are not known, for people; empty: they are.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    // Returns the processor time of prepare() and look() since the last call.
    core::Seconds take_cost() { return std::exchange(cost_, core::Seconds(0)); }

private:
    std::unique_ptr<OpenFiles> files_;
    std::function<core::Seconds()> cpu_time_;
    core::ReadFilesByCgroup known_;
    std::string problem_;
    core::Seconds cost_{0};
};

}  // namespace tmm::os
