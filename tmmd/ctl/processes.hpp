// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The processes of the machine, from libproc2, with the class of each. Processes that the user may not see are left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::ctl {

struct Process {
    std::uint32_t pid = 0;
    std::uint32_t user = 0;
    std::string command;             // short name
    std::uint64_t memory_bytes = 0;  // resident
    bool transparent = false;
};

// Reads /proc. Kernel threads, which have no memory of their own, are left out. root: "/", for the classes of cgroups. Error: of
// libproc2.
Result<std::vector<Process>> read_processes(const RootDir& root);

}  // namespace tmm::ctl
