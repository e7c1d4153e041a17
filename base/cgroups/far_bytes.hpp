// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// far_bytes(): how much memory the programs of a cgroup have on far memory (tmm-far(1)), as an extended attribute of the cgroup.
// tmm-fard(8) sets it, as the user of the program, for people who look at contributions. Nothing else depends on it, since the
// user may claim any number. It ends with the cgroup.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm {

// Returns 0 without the attribute, or if it is no number.
std::uint64_t far_bytes(const RootDir& cgroup);

// Error: no permission, or the file system has no such attributes.
Result<void> set_far_bytes(const RootDir& cgroup, std::uint64_t bytes);

}  // namespace tmm
