// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Exceptions that a user makes for a program, as extended attributes of its cgroup: what systemd-oomd's user.oomd_omit is there.
// The kernel lets only the owner of the directory and root set them, so nobody makes one for another user's program. They end
// with the cgroup.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm {

enum class Exception : std::uint8_t {
    never_count,   // user.tmm.count=never: of an opaque program; nobody needs its memory
    never_freeze,  // user.tmm.freeze=never: of a contribution; no hold freezes it
};

bool has_exception(const RootDir& cgroup, Exception exception);

// Sets or removes it. Error: no permission, or the file system has no such attributes.
Result<void> set_exception(const RootDir& cgroup, Exception exception, bool on);

}  // namespace tmm
