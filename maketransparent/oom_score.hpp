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

// Has the kernel kill this process, and those that it starts, before the owner's. Lowers nothing. Needs no privilege. Error:
// /proc cannot be read or written.
Result<void> raise_oom_score(const RootDir& root);

}  // namespace tmm
