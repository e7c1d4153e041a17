// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FarReport: tells tmmd how much of each cgroup's memory is far (base/cgroups/far_bytes.hpp), so that people see it beside the
// memory of the contribution. A cgroup that belongs to another user is left out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/root_dir.hpp"

namespace tmm::far {

class FarReport {
public:
    using Bytes = std::map<std::string, std::uint64_t>;  // by cgroup

    // root: "/"; it must outlive this.
    explicit FarReport(const RootDir& root) : root_(root) {}

    // What a cgroup had that is no longer among them becomes 0.
    void tell(Bytes now);

private:
    const RootDir& root_;
    Bytes told_;
};

}  // namespace tmm::far
