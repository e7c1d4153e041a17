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

// Does a part of the work as the owner of a directory. Any user but root stays the same.
class ActingOwner {
public:
    explicit ActingOwner(const RootDir& directory);
    ActingOwner(const ActingOwner&) = delete;
    ActingOwner& operator=(const ActingOwner&) = delete;
    ~ActingOwner();

    // Error: root cannot become that user, and does the work in no other name.
    [[nodiscard]] const Result<void>& result() const { return result_; }

private:
    bool is_acting_ = false;
    Result<void> result_;
};

}  // namespace tmm::boinc
