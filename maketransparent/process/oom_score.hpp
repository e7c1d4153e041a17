// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel's choice of a process to kill when memory has run out.
#pragma once

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm {

// Of a contribution: far above the owner's programs, which have 0 to 300. With 1000 the kernel would look at nothing else.
inline constexpr int contribution_oom_score_adj = 900;

// Has the kernel kill a process, and those that it starts, before the owner's. Lowers nothing. Needs no privilege for a process
// of the caller. process: its directory in /proc. Error: that cannot be read or written.
Result<void> raise_oom_score(const RootDir& process);

// Gives a process that has a contribution's score that of another one. It may be lowered to the last one that a privileged
// process set. process, like: directories in /proc. Error: they cannot be read or written.
Result<void> lower_oom_score(const RootDir& process, const RootDir& like);

}  // namespace tmm
