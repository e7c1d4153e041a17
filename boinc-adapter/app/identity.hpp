// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The user as whom the adapter works. Called before any other thread exists.
#pragma once

#include "base/result.hpp"
#include "base/root_dir.hpp"

namespace tmm::boinc {

// Makes root the owner of the directory, for good: root trusts no other user's files, and the owner could not read root's. The
// process then belongs to the directory's group and to `group`, if there is one of that name. Other users stay who they are, and
// so does root if the directory is its own. Error: of the system calls; the caller must end then.
Result<void> become_owner_of(const RootDir& directory, const char* group);

}  // namespace tmm::boinc
